"""English words that say nothing about what a text is about, and those of talk with an agent."""

STOP_WORDS = frozenset(
    """
    a about above after again against all almost already also although always am an and any
    anything are aren't as ask at away back be because been before being below between both
    but by can can't cannot case come could couldn't did didn't do does doesn't doing don't
    done down each either else even ever every everything few first for from further get
    getting give go goes going gone good got had has hasn't have haven't having he her here
    here's hers him his how however i i'd i'll i'm i've if in instead into is isn't it it's
    its itself just keep know last let let's like ll look looks made make makes many may
    maybe me might more most much must my myself need needs never new next no nor not
    nothing now of off ok okay old on once one only onto or other others our out over own
    part per please put quite rather re really right run said same say see seems shall she
    should shouldn't since so some something still such sure take than thank thanks that
    that's the their them then there there's these they they're thing things think this
    those though through to together too try two under until up upon us use used uses using
    ve very want wants was wasn't way we we'll we're we've well were what what's when where
    whether which while who whole why will with within without won't work works would
    wouldn't yes yet you you'd you'll you're you've your yours add added adding change
    changed changes check code create created current existing file files find fix following
    found implementation implement issue line lines message read result results section
    should show step steps task tasks test tests tool update updated user assistant working
    write null true false http https www com org html
    """.split()  # noqa: SIM905 - a list of words reads best as words
)

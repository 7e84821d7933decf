"""``graph init``, ``add-entity``, ``relate`` and ``observe``: changing layer 0 by hand."""

import click

from vault_memory.cli import render
from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.core.provenance import PROVENANCES
from vault_memory.errors import UsageError

by_option = click.option(
    "--by",
    type=click.Choice(PROVENANCES),
    default="human",
    show_default=True,
    help="Who says so.",
)
source_option = click.option(
    "--source",
    default="",
    help="Where it comes from: a conversation, optionally with #^t-…, a source note, or any text.",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Print the diff, write nothing.")
prior_option = click.option(
    "--prior",
    default="",
    metavar="PRIOR",
    help="How a new claim came in: authoritative, explicit (default), inferred, speculative, "
    "or a pair such as 4:6.",
)


@click.command(cls=VaultCommand)
@click.pass_obj
def init(app: App) -> None:
    """Make the folders of layer 0 where they are missing."""
    from vault_memory.flows.init import init_graph

    answer = init_graph(app.writable_vault())
    made = [f"Created {path}" for path in answer["created"]]
    app.emit(answer, made or ["Layer 0 is there already."])


@click.command("add-entity", cls=VaultCommand)
@click.option("--name", required=True)
@click.option("--type", "type_", required=True, help="One of the 17 entity types.")
@click.option("--abstract", required=True, help="One line that says what it is.")
@click.option("--overview", default="", help="A paragraph for ranking and the reader.")
@click.option("--content", default="", help="Everything else.")
@click.option("--update", is_flag=True, help="Let the abstract of an entity that exists change.")
@prior_option
@by_option
@source_option
@dry_run_option
@click.pass_obj
def add_entity(
    app: App,
    *,
    name: str,
    type_: str,
    abstract: str,
    overview: str,
    content: str,
    update: bool,
    prior: str,
    by: str,
    source: str,
    dry_run: bool,
) -> None:
    """Add an entity, or observe one that exists."""
    from vault_memory.flows.add_entity import NewEntity
    from vault_memory.flows.add_entity import add_entity as add

    wanted = NewEntity(
        name=name, type=type_, abstract=abstract, overview=overview, content=content, prior=prior
    )
    with app.open_writer() as writer:
        answer = add(
            writer, wanted, app.observation(by=by, source=source), update=update, dry_run=dry_run
        )
    app.say(answer["notice"])
    app.emit(answer, render.written(answer))


@click.command(cls=VaultCommand)
@click.argument("source_entity", metavar="FROM")
@click.option("--rel", required=True, help="The verb, in lower snake case.")
@click.option("--target", required=True, metavar="TO")
@click.option("--description", default="", help="Free text for a new relation.")
@click.option("--quote", default="", help="What was said.")
@click.option("--valid-from", default="", metavar="DATE", help="The day from which it is true.")
@prior_option
@by_option
@source_option
@dry_run_option
@click.pass_obj
def relate(
    app: App,
    *,
    source_entity: str,
    rel: str,
    target: str,
    description: str,
    quote: str,
    valid_from: str,
    prior: str,
    by: str,
    source: str,
    dry_run: bool,
) -> None:
    """Relate two entities, or observe a relation that exists."""
    from vault_memory.flows.relate import NewRelation
    from vault_memory.flows.relate import relate as add

    wanted = NewRelation(
        source=source_entity,
        rel=rel,
        target=target,
        description=description,
        prior=prior,
        valid_from=valid_from,
    )
    with app.open_writer() as writer:
        observation = app.observation(by=by, source=source, quote=quote)
        answer = add(writer, wanted, observation, dry_run=dry_run)
    app.say(answer["notice"])
    app.emit(answer, render.written(answer))


@click.command(cls=VaultCommand)
@click.argument("belief", nargs=-1, required=True)
@click.option("--rel", default="", help="With FROM: the verb of the relation.")
@click.option("--target", default="", help="With FROM: the entity it leads to.")
@click.option("--contradicts", is_flag=True, help="It speaks against the belief.")
@click.option("--quote", default="", help="What was said.")
@click.option(
    "--date", default="", metavar="DATE", help="The day of the observation, if not today."
)
@by_option
@source_option
@dry_run_option
@click.pass_obj
def observe(
    app: App,
    *,
    belief: tuple[str, ...],
    rel: str,
    target: str,
    contradicts: bool,
    quote: str,
    date: str,
    by: str,
    source: str,
    dry_run: bool,
) -> None:
    """Add one evidence line to a belief.

    BELIEF is an entity or relation by name, path or id, or FROM REL TO, or FROM --rel REL
    --target TO.
    """
    from vault_memory.flows.observe import observe as add

    if bool(rel) != bool(target) or (rel and len(belief) != 1):
        raise UsageError("--rel and --target go together, with one FROM before them")
    words = (belief[0], rel, target) if rel else belief
    with app.open_writer() as writer:
        observation = app.observation(
            by=by, source=source, quote=quote, date=date, contradicts=contradicts
        )
        answer = add(writer, words, observation, dry_run=dry_run)
    app.say(answer["notice"])
    app.emit(answer, render.written(answer))

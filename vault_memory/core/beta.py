"""The regularised incomplete beta function and its inverse, in plain Python."""

import math

_TINY = 1e-300
_CLOSE = 1e-15
_NORMAL_FROM = 1e6
_MOST_TERMS = 10_000


def cumulative(alpha: float, beta: float, x: float) -> float:
    """Return the probability that a Beta(alpha, beta) variable is at most x.

    Args:
        alpha: Above 0.
        beta: Above 0.
        x: Within [0, 1].

    By the continued fraction of Didonato and Morris (Numerical Recipes, 6.4), on the side of the
    mean where it converges fast.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(_log_density(alpha, beta, x)) * x * (1 - x)
    if x < (alpha + 1) / (alpha + beta + 2):
        return front * _fraction(alpha, beta, x) / alpha
    return 1 - front * _fraction(beta, alpha, 1 - x) / beta


def quantile(alpha: float, beta: float, probability: float) -> float:
    """Return the x at which ``cumulative`` reaches the probability, within 1e-12.

    Args:
        alpha: Above 0.
        beta: Above 0.
        probability: Within (0, 1).

    Above a million observations it is that of the normal distribution with the same mean and
    variance, which then differs by less than is ever shown.
    """
    total = alpha + beta
    if total > _NORMAL_FROM:
        mean = alpha / total
        spread = math.sqrt(alpha / total * (beta / total) / (total + 1))
        return min(max(mean + spread * _normal_quantile(probability), 0.0), 1.0)
    low, high, x = 0.0, 1.0, min(max(alpha / total, 1e-9), 1 - 1e-9)
    while high - low > 1e-13:
        excess = cumulative(alpha, beta, x) - probability
        low, high = (x, high) if excess < 0 else (low, x)
        slope = math.exp(min(_log_density(alpha, beta, x), 700.0))
        step = excess / slope if slope else 1.0
        if abs(step) < 1e-14:
            break
        x = x - step if low < x - step < high else (low + high) / 2
    return x


def _log_density(alpha: float, beta: float, x: float) -> float:
    """Return the logarithm of the density of Beta(alpha, beta) at an x within (0, 1)."""
    return (
        math.lgamma(alpha + beta)
        - math.lgamma(alpha)
        - math.lgamma(beta)
        + (alpha - 1) * math.log(x)
        + (beta - 1) * math.log1p(-x)
    )


def _normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution, by bisection of erfc."""
    low, high = -40.0, 40.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if 0.5 * math.erfc(-middle / math.sqrt(2)) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _fraction(alpha: float, beta: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c = 1.0
    d = 1 / _away_from_zero(1 - (alpha + beta) * x / (alpha + 1))
    value = d
    m, change = 0, 0.0
    while abs(change - 1) >= _CLOSE and m < _MOST_TERMS:
        m += 1
        even = m * (beta - m) * x / ((alpha + 2 * m - 1) * (alpha + 2 * m))
        d = 1 / _away_from_zero(1 + even * d)
        c = _away_from_zero(1 + even / c)
        value *= d * c
        odd = -(alpha + m) * (alpha + beta + m) * x / ((alpha + 2 * m) * (alpha + 2 * m + 1))
        d = 1 / _away_from_zero(1 + odd * d)
        c = _away_from_zero(1 + odd / c)
        change = d * c
        value *= change
    return value


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY

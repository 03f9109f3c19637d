"""What tests have to know of the machine that they run on."""

import os

MOST = 4.0


def busyness():
    """How many times longer work takes than on idle cores, about; 1 when there are cores to spare.

    Limits of time are multiplied by it: they are about heddle, and not about its neighbours. It has
    a limit, too, so that tests end."""
    return min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), MOST)

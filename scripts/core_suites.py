"""The fast suites that run the scheduling core, for scripts/coverage and scripts/mutate."""
import os

# Programs, and what they are told: fewer sequences and worlds than `make test`, as they are run
# often or without optimisation.
SUITES = {
    "unit_core": {},
    "regress": {},
    "property": {"RC_PARAMS": "seed=20261202 max_success=500"},
    "simulation": {"SLUICE_SEEDS": "60"},
}


def environment(suite: str) -> dict[str, str]:
    return {**os.environ, **SUITES[suite]}

"""Claims of two papers, put before four kinds of evidence."""

from verify.threads import limit_to_one

limit_to_one()

from verify import registry  # noqa: E402
from verify.claim import Claim  # noqa: E402
from verify.experiment import Experiment  # noqa: E402
from verify.run import run  # noqa: E402

__all__ = ["Claim", "Experiment", "registry", "run"]

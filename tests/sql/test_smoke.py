from tests.conftest import Installed
from tests.documents import put_document, put_relationship

def test_x(database: Installed, superuser, client):
    put_document(superuser, "a"); put_document(superuser, "b", tags=("hr",)); put_relationship(superuser, "a", "b")
    assert client.whoami().login == "postgres"
def test_y(database: Installed, superuser, client):
    database.reader("joe", tags=["a"])
    with database.connect("joe") as c:
        print(c.execute("select * from docgraph.whoami('default', '{}')").fetchall())

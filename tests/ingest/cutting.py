"""A way to a server that breaks off in the middle."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path


class CuttingProxy:
    """Passes bytes on between 127.0.0.1 and a server's socket, until `limit` bytes have come from clients."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._server = str(folder / ".s.PGSQL.5432")
        self._left = limit
        self._lock = threading.Lock()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """At once, and for good."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._pairs.append((client, server))
                threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
                threading.Thread(target=self._back, args=(client, server), daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(4096):
                with self._lock:
                    part, self._left = data[: self._left], self._left - len(data)
                    if part:
                        server.sendall(part)
                    if self._left <= 0:
                        self.cut()
                        return
            server.shutdown(socket.SHUT_WR)

    def _back(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)

"""A proxy before Herald that loses connections: before a request is passed on, or after Herald has answered it."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Literal

import httpx

Mishap = Literal["lost before", "lost after", "unavailable"]


class UnreliableProxy:
    def __init__(self, target: str) -> None:
        self.mishaps: list[Mishap] = []
        self.keys: list[str | None] = []
        self._http = httpx.Client()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                proxy._pass_on(self, target)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> UnreliableProxy:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._http.close()

    def _pass_on(self, handler: BaseHTTPRequestHandler, target: str) -> None:
        body = handler.rfile.read(int(handler.headers["content-length"]))
        self.keys.append(handler.headers["idempotency-key"])
        mishap = self.mishaps.pop(0) if self.mishaps else None
        handler.close_connection = True
        if mishap == "lost before":
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        if mishap == "unavailable":
            handler.send_response(503)
            handler.send_header("retry-after", "0")
            handler.end_headers()
            return
        names = ("authorization", "content-type", "idempotency-key")
        headers = {name: handler.headers[name] for name in names if name in handler.headers}
        response = self._http.post(target + handler.path, content=body, headers=headers)
        if mishap == "lost after":
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        handler.send_response(response.status_code)
        handler.end_headers()
        handler.wfile.write(response.content)

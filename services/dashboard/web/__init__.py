"""The board over HTTP: its API, pages and guard. It reads; it follows no stream."""

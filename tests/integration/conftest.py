from tests.faults.conftest import floor

__all__ = ["floor"]

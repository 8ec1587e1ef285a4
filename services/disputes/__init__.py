"""The dispute desk: the one writer of a table's disputes. It judges no claim and moves no money."""

from services.disputes.adjusting import Adjusted, adjust, adjusted_in
from services.disputes.desk import DisputeDesk, Done

__all__ = ["Adjusted", "DisputeDesk", "Done", "adjust", "adjusted_in"]

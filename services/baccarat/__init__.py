"""The pure rules core: drawing, settlement, roads, odds; no I/O, clock or asyncio."""

"""The headers that every answer has, errors too. Data only."""

from __future__ import annotations

from typing import Final

#: A page loads what the board itself serves, and nothing else; no script makes HTML of a text.
_LOADS: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
PAGE: Final = "; ".join(f"{name} {whence}" for name, whence in _LOADS.items())
#: What a page cannot say of itself.
FRAMES: Final = "frame-ancestors 'none'"
#: What is no page has nothing to load.
DATA: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_OFF: Final = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
_OWN: Final = ("autoplay", "fullscreen", "screen-wake-lock")  # sound, and a screen on the wall
HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{name}=({'self' if name in _OWN else ''})" for name in _OFF),
}

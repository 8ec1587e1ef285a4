"""Progress: on stderr, for those who look on, and nobody else."""

from __future__ import annotations

import pytest

from services.cli.progress import bar, counter


def test_in_a_pipe_nothing_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with bar("Dealing", 10) as show:
        show(5)
        show(12)
    with counter("Auditing") as show_both:
        show_both(1, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("hidden", [True, False])
def test_on_a_terminal_stderr_has_a_bar_unless_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, hidden: bool
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    with bar("Dealing", 10, hidden=hidden) as show:
        show(5)
    with counter("Auditing", hidden=hidden) as show_both:
        show_both(1, 2)
        show_both(9, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("Dealing" in err) is not hidden
    assert ("2/2" in err) is not hidden

"""The bar that shows the progress of the cluster on a terminal."""

import io
import sys

import pytest

from impinge import cluster


class Terminal(io.StringIO):
    """A standard error that is a terminal, or not."""

    def __init__(self, is_one):
        super().__init__()
        self.isatty = lambda: is_one


def shown(monkeypatch, progress, is_terminal, calls, seconds=1.0):
    """What is written of these calls, each so many seconds after the last."""
    out, now = Terminal(is_terminal), [100.0]
    monkeypatch.setattr(sys, "stderr", out)
    monkeypatch.setattr(cluster.time, "monotonic", lambda: now[0])
    tell = cluster._listener(progress)
    for call in calls:
        tell(*call)
        now[0] += seconds
    return out.getvalue()


CALLS = [("files", 0, 4), ("files", 1, 4), ("files", 4, 4)]


def test_the_bar_grows_and_ends_its_line(monkeypatch):
    first, second, last = shown(monkeypatch, True, False, CALLS).split("\r")[1:]
    assert first == f"files [{'.' * 30}] 0/4"
    assert second == f"files [{'#' * 7}{'.' * 23}] 1/4"
    assert last == f"files [{'#' * 30}] 4/4\n"


def test_the_bar_is_drawn_ten_times_a_second_at_most_and_at_the_end(monkeypatch):
    calls = [("clashes", k, 1000) for k in range(1, 1001)]
    lines = shown(monkeypatch, True, False, calls, seconds=0.01).split("\r")[1:]
    assert 80 < len(lines) < 120 and lines[-1].endswith("1000/1000\n")
    assert [line.endswith("\n") for line in lines].count(True) == 1


def test_of_nothing_the_bar_is_full(monkeypatch):
    assert shown(monkeypatch, True, False, [("list", 0, 0)]).endswith("0/0\n")


@pytest.mark.parametrize(("progress", "terminal", "drawn"), [
    (None, True, True), (None, False, False), (True, False, True), (False, True, False),
])  # fmt: skip
def test_by_default_the_bar_is_for_terminals(monkeypatch, progress, terminal, drawn):
    assert bool(shown(monkeypatch, progress, terminal, CALLS)) is drawn


def test_a_callable_hears_instead(monkeypatch):
    heard = []
    assert shown(monkeypatch, lambda *now: heard.append(now), True, CALLS) == ""
    assert heard == CALLS

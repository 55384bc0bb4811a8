"""What the project requires of the measured figures, printed beside them."""


class Bars:
    """The table of bars. One that is missed is no error: the figure is what it is."""

    def __init__(self):
        """No bar yet."""
        self._rows = []

    def most(self, what, found, bar, show=str):
        """A figure that must be at most `bar`. show: makes text of either."""
        self._rows.append((what, show(found), f"at most {show(bar)}", found <= bar))

    def least(self, what, found, bar, show=str):
        """A figure that must be at least `bar`."""
        self._rows.append((what, show(found), f"at least {show(bar)}", found >= bar))

    def print(self):
        """Prints the table in Markdown."""
        print("\n| bar | measured | required | |\n| --- | --- | --- | --- |")
        for what, found, bar, reached in self._rows:
            print(f"| {what} | {found} | {bar} | {'reached' if reached else 'missed'} |")

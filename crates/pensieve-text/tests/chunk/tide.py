"""Tides of the harbour."""

import math


class Tide:
    """One tide."""

    def __init__(self, hour, height):
        self.hour = hour
        self.height = height

    def at(self, hour):
        # The height goes up and down twice a day.
        return self.height * math.cos((hour - self.hour) * math.pi / 6.2)


def main():
    tide = Tide(3, 2.5)
    for hour in range(24):
        print(hour, round(tide.at(hour), 2))


if __name__ == "__main__":
    main()

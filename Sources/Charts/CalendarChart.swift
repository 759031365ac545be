/// A calendar for each row: a column a week, Monday above, and a square a day with its state.
///
/// All squares of a state are one path, whatever the number of days. States differ in shape and colour.
package struct CalendarChart: Chart {
  /// The rows, such as kinds of files, from the top.
  package var rows: [CalendarRow]

  /// The states, by which the legend above is written.
  package var states: [CalendarState]

  /// The weekday of the first day: 0 is Monday, 6 is Sunday.
  package var firstWeekday: Int

  /// The labels of months and years above the weeks.
  ///
  /// A label stands up to three weeks before its own where the next one needs the place; one that would have to stand
  /// further away is left out.
  package var labels: [CalendarLabel]

  package var width: Double

  /// Creates a calendar.
  ///
  /// - Parameters:
  ///   - rows: The rows; the calendar has as many days as the longest.
  ///   - states: The states.
  ///   - firstWeekday: The weekday of the first day: 0 is Monday, 6 is Sunday.
  ///   - labels: The labels of months and years, by ascending day.
  ///   - width: The width of the drawing, from 240. Long times are continued in a second band of weeks.
  package init(
    rows: [CalendarRow], states: [CalendarState], firstWeekday: Int, labels: [CalendarLabel],
    width: Double = 720
  ) {
    self.rows = rows
    self.states = states
    self.firstWeekday = firstWeekday
    self.labels = labels
    self.width = width
  }

  package var isEmpty: Bool {
    !rows.contains { row in row.days.contains { $0.map(states.indices.contains) ?? false } }
  }

  package func draw(into svg: inout SVGWriter) -> Double {
    CalendarLayout(self).draw(into: &svg)
  }

  /// The weekday of the first day, from 0 to 6.
  var weekday: Int { (firstWeekday % 7 + 7) % 7 }
}

/// A row of a ``CalendarChart``.
package struct CalendarRow: Hashable, Sendable {
  /// The name, left of the days.
  package var name: String

  /// The index of each day's state in ``CalendarChart/states``; nil is a day without one, which stays empty.
  package var days: [Int?]

  package init(name: String, days: [Int?]) {
    self.name = name
    self.days = days
  }
}

/// A state of days in a ``CalendarChart``.
package struct CalendarState: Hashable, Sendable {
  /// How a day is drawn.
  package enum Shape: Hashable, Sendable {
    /// A full square, for the normal state.
    case full

    /// A frame, for a day without content.
    case hollow

    /// A cross in the colour of warnings, for an error.
    case crossed

    /// The lower half of a square, cut by its diagonal, for a changed day.
    case half

    /// A small dot, for a day on which nothing is expected.
    case dot
  }

  /// The name in the legend, such as `missing`.
  package var name: String

  /// How a day is drawn.
  package var shape: Shape

  package init(name: String, shape: Shape) {
    self.name = name
    self.shape = shape
  }
}

/// A label above the weeks of a ``CalendarChart``.
package struct CalendarLabel: Hashable, Sendable {
  /// The index of the day at which the month begins, from 0.
  package var day: Int

  /// The month, such as `Mar`.
  package var text: String

  /// The year, above the month, such as `2026`; blank where it is that of the month before.
  package var year: String

  /// Creates a label.
  ///
  /// - Parameters:
  ///   - day: The index of the day, from 0.
  ///   - text: The month.
  ///   - year: The year, where it begins.
  package init(day: Int, text: String, year: String = "") {
    self.day = day
    self.text = text
    self.year = year
  }
}

/// Values of months: a line with its intervals, or columns, of one part or several.
///
/// The axis begins at 0 and goes below it only for values below it.
package struct TimePlot: Chart {
  /// How sure the value of a month is.
  package enum State: Hashable, Sendable {
    /// It stays as it is.
    case settled

    /// It can still change: a hollow dot on hatched ground.
    case canStillChange

    /// Data are missing: a ring; an edge on a column.
    case incomplete

    /// A part is not seen yet: a dotted line without band and dots.
    case notAllSeen

    /// There are no data, whatever ``Month/content`` says: the line stops.
    case noData
  }

  package struct Part: Hashable, Sendable {
    package var value: Double
    package var fill: ChartFill

    /// Whether it can still change.
    package var isHatched: Bool

    package init(_ value: Double, _ fill: ChartFill, isHatched: Bool = false) {
      (self.value, self.fill, self.isHatched) = (value, fill, isHatched)
    }
  }

  /// The point or column above a month.
  package enum Content: Hashable, Sendable {
    /// A point of the line, with the ends of its interval; rates are fractions of one.
    case point(Double, low: Double? = nil, high: Double? = nil)

    /// A column, its parts from the axis on.
    case column([Part])
  }

  package struct Month: Hashable, Sendable {
    /// The text below it, such as `Sep`.
    package var label: String

    /// The text below its first labelled month, such as `2026`.
    package var year: String

    package var state: State

    /// Its value; nil if it has none although there are data.
    package var content: Content?

    /// The value as the label of the figure has it, such as `≤ 9.2%`; blank for no label.
    package var text: String

    /// The text under the pointer, such as `September 2026: 9.2%`.
    package var title: String

    package init(
      _ label: String, year: String, _ content: Content?, state: State = .settled,
      text: String = "", title: String = ""
    ) {
      (self.label, self.year, self.content) = (label, year, content)
      (self.state, self.text, self.title) = (state, text, title)
    }
  }

  /// An event in a month: a dotted line with a text.
  package struct Mark: Hashable, Sendable {
    package var month: Int
    package var text: String

    package init(month: Int, _ text: String) { (self.month, self.text) = (month, text) }
  }

  /// The months without a hole, oldest first.
  package var months: [Month]

  /// How ticks become text: `.percent` for fractions of one.
  package var format: ValueFormat

  /// The height in pixels: 260, 240 for columns, 210 for a smaller figure.
  package var height: Double

  /// The events; the first three are drawn.
  package var marks: [Mark]

  /// The texts on the grounds of months that can still change, and that have no data.
  package var changeNote: String
  package var gapNote: String

  package init(
    _ months: [Month], _ format: ValueFormat, height: Double = 260, marks: [Mark] = [],
    changeNote: String = "can still change", gapNote: String = "no data"
  ) {
    (self.months, self.format, self.height, self.marks) = (months, format, height, marks)
    (self.changeNote, self.gapNote) = (changeNote, gapNote)
  }

  /// The most months whose columns all have a label; of more only the last has one.
  package static let mostLabels = 13

  package var isEmpty: Bool { months.isEmpty }
  package var margins: ChartMargins { .plot }
}

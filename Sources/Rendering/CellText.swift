import Metrics

/// The text of a cell, with its number rounded and nothing escaped yet.
enum CellText: Equatable {
  /// Not known.
  case missing
  /// Words from the data, not yet escaped.
  case words(String)
  /// Digits, which are never escaped or guarded.
  case number(String)

  /// Creates the text of a cell for machines: rates with six decimals.
  init(_ cell: ReportTable.Cell) {
    switch cell {
    case .missing: self = .missing
    case .text(let words): self = .words(words)
    case .count(let count): self = .number(String(count))
    case .ratio(let numerator, let denominator):
      self = .number(NumberStyle.rate(numerator, over: denominator))
    case .fraction(let fraction): self = CellText(number: NumberStyle.rate(fraction))
    case .money(let milliunits): self = .number(NumberStyle.money(milliunits: milliunits))
    case .hundredths(let hundredths): self = .number(NumberStyle.hundredths(hundredths))
    }
  }

  /// Creates the text of a cell for people: in a column of rates, percentages with two decimals.
  init(_ cell: ReportTable.Cell, forPeopleIn column: ReportTable.Column) {
    switch (cell, column.kind) {
    case (.ratio(let numerator, let denominator), .rate):
      self = .number(NumberStyle.percentage(numerator, over: denominator))
    case (.fraction(let fraction), .rate):
      self = CellText(number: NumberStyle.percentage(fraction))
    default: self.init(cell)
    }
  }

  private init(number: String?) {
    self = number.map(CellText.number) ?? .missing
  }

  /// Returns the texts of a row for people, with words escaped; a missing cell is empty.
  static func texts(
    _ row: [ReportTable.Cell], forPeopleIn columns: [ReportTable.Column],
    words escaped: (String) -> String
  ) -> [String] {
    zip(row, columns).map { cell, column in
      switch CellText(cell, forPeopleIn: column) {
      case .missing: ""
      case .number(let digits): digits
      case .words(let words): escaped(words)
      }
    }
  }
}

extension ReportTable.Column {
  /// Whether cells are aligned to the right, as numbers are.
  var isAlignedRight: Bool {
    switch kind {
    case .key, .text: false
    case .count, .rate, .money, .number: true
    }
  }
}

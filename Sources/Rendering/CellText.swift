package import Tables

/// The text of a cell, with its number rounded and nothing escaped yet.
enum CellText: Equatable {
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

  /// Creates the text of a cell for people: thousands grouped, amounts with their currency's decimals, rates as
  /// percentages.
  ///
  /// A change has its sign: `+8`. That of a rate is in points: `-3.10 points` (`-3.10` without `hasUnit`), or
  /// `unchanged`.
  init(
    _ cell: ReportTable.Cell, forPeopleIn column: ReportTable.Column, currency: String = "",
    hasUnit: Bool = true
  ) {
    if column.isChange, let change = NumberStyle.signed(cell, currency: currency) {
      self =
        switch cell {
        case .ratio(numerator: 0, denominator: _), .fraction(0): .number("unchanged")
        case .ratio, .fraction: .number(hasUnit ? change + " points" : change)
        default: .number(change)
        }
      return
    }
    switch (cell, column.kind) {
    case (.ratio(let numerator, let denominator), .rate):
      self = .number(NumberStyle.grouped(NumberStyle.percentage(numerator, over: denominator)))
    case (.fraction(let fraction), .rate):
      self = CellText(number: NumberStyle.percentage(fraction).map(NumberStyle.grouped))
    case (.money(let milliunits), _):
      self = .number(NumberStyle.amount(milliunits: milliunits, currency: currency))
    default:
      self.init(cell)
      if case .number(let digits) = self { self = .number(NumberStyle.grouped(digits)) }
    }
  }

  private init(number: String?) {
    self = number.map(CellText.number) ?? .missing
  }

  /// Returns the texts of a table's rows for people, with words escaped; a missing cell is empty.
  static func rows(
    _ table: ReportTable, words escaped: (String) -> String
  ) -> [[String]] {
    let currencies = CurrencyColumns(table.columns)
    let heading = table.heading
    return table.rows.map { row in
      row.indices.map { index in
        let column = table.columns[index]
        let own = currencies.currency(of: index, in: row)
        let text = CellText(
          row[index], forPeopleIn: column, currency: own.isEmpty ? heading?.currency ?? "" : own,
          hasUnit: heading == nil)
        return switch text {
        case .missing: ""
        case .number(let digits): digits
        case .words(let words): escaped(words)
        }
      }
    }
  }
}

extension ReportTable.Cell {
  /// The text for machines, not escaped: rates with six decimals; blank for a missing value.
  package var machineText: String {
    switch CellText(self) {
    case .missing: ""
    case .words(let text), .number(let text): text
    }
  }
}

extension ReportTable {
  /// The cells as people read them, not escaped: thousands grouped, rates as percentages with two decimals.
  package var shownRows: [[String]] { CellText.rows(self, words: { $0 }) }
}

/// Where a table names the currency of its amounts: in a column of its own, or in the name of an added column.
package struct CurrencyColumns: Sendable {
  /// The currency in a column's name, as in `net_proceeds_USD`.
  private var named: [Int: String] = [:]
  /// The columns that name the currencies of amounts, by the places of these.
  private var places: [Int: Int] = [:]
  private let columns: [ReportTable.Column]

  package init(_ columns: [ReportTable.Column]) {
    self.columns = columns
    let position = { (name: String) in columns.firstIndex { $0.name == name } }
    // Payments are in the currency of the bank. An increase has prices first, and then proceeds in one currency.
    var place = position("amount_currency") ?? position("currency")
    for (index, column) in columns.enumerated() {
      // The ending of an added column, such as net_proceeds_USD_change, stands after the code.
      let code = column.name.split(separator: "_").last(where: Self.isCode)
      if column.kind == .money, let code { named[index] = String(code) }
      if column.name == "proceeds_currency" { place = index }
      if column.kind != .key, column.kind != .text {
        places[index] = column.name == "payment" ? position("bank") ?? place : place
      }
    }
  }

  private static func isCode(_ word: Substring) -> Bool {
    word.utf8.count == 3
      && word.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// Returns the currency of a cell, such as `USD`; blank if the table does not have it.
  package func currency(of column: Int, in row: [ReportTable.Cell]) -> String {
    if let code = named[column] { return code }
    guard let place = places[column], case .text(let code) = row[place] else { return "" }
    return code
  }

  /// Returns what the amounts of a column are in: a code such as `EUR`, or the column that has it.
  package func unit(of column: Int) -> String? {
    named[column] ?? places[column].map { columns[$0].name }
  }
}

/// A condition on a column, such as `churn_rate>0.08`: the `--fail-if` option.
package struct Condition: Equatable, Sendable {
  /// A comparison of the column with the number.
  enum Comparison: String, CaseIterable {
    // Longer signs first, so that `>=` is not read as `>`.
    case atLeast = ">="
    case atMost = "<="
    case notEqual = "!="
    case equal = "="
    case more = ">"
    case less = "<"
  }

  /// The condition as the user wrote it.
  package let text: String
  /// The table that has the column.
  package let table: TableKind
  /// The column's name.
  package let column: String
  /// The column as the user wrote it: `churn_rate` or `churn.churn_rate`.
  package let name: String
  /// The number as the user wrote it.
  package let limit: String
  /// Whether the column is a rate and the number more than 1, which is 100 %: probably it was meant in percent.
  package let isAboveWhole: Bool
  /// Whether the comparison is an inequality such as `>`, not `=` or `!=`.
  package var isBound: Bool { comparison != .equal && comparison != .notEqual }
  private let comparison: Comparison
  private let threshold: (digits: Int128, scale: Int)

  /// Reads a condition, or returns `nil` when there is no such column or no such number.
  ///
  /// A condition is a column or `table.column`, a comparison and a number. A column without a table
  /// belongs to the first table that has it.
  ///
  /// - Parameter text: Such as `churn_rate>0.08`.
  package init?(_ text: String) {
    guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }) else {
      return nil
    }
    let parts = text.split(
      separator: comparison.rawValue, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let threshold = Self.decimal(Self.trimmed(parts[1])) else {
      return nil
    }
    name = Self.trimmed(parts[0])
    limit = Self.trimmed(parts[1])
    let names = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let column = names.last.map(String.init), names.count <= 2,
      let table = TableKind.allCases.first(where: { kind in
        (names.count == 1 || names[0] == kind.rawValue)
          && Definition.definition(of: kind).columns.contains {
            $0.column.name == column && $0.column.kind != .text
          }
      })
    else { return nil }
    self.text = text
    self.table = table
    self.column = column
    self.comparison = comparison
    self.threshold = threshold
    let isRate = Definition.definition(of: table).columns.contains {
      $0.column.name == column && $0.column.kind == .rate
    }
    let whole = (0..<threshold.scale).reduce(Int128(1)) { whole, _ in whole * 10 }
    isAboveWhole = isRate && threshold.digits > whole
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private static func decimal(_ text: String) -> (digits: Int128, scale: Int)? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard (1...2).contains(parts.count), !digits.isEmpty, digits.count <= 18,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int128(digits)
    else { return nil }
    return (isNegative ? -number : number, parts.count == 2 ? parts[1].count : 0)
  }

  /// A row for which a condition holds.
  package struct Match: Equatable, Sendable {
    /// The cells that identify the row, with the names of their columns.
    package let keys: [(name: String, value: String)]
    /// The cell of the condition's column.
    package let cell: ReportTable.Cell
    /// The row's counts, only in a table with a row for each k: its rates are not ratios of counts.
    package let counts: [(name: String, value: Int)]

    /// Returns whether two matches have equal cells.
    package static func == (left: Match, right: Match) -> Bool {
      left.cell == right.cell && left.keys.elementsEqual(right.keys, by: ==)
        && left.counts.elementsEqual(right.counts, by: ==)
    }
  }

  /// Returns the rows of a month for which the condition holds.
  ///
  /// - Parameters:
  ///   - whole: The table of the whole population.
  ///   - month: The month, as the table writes it; in a table without months every row is tested.
  /// - Returns: The rows for which it holds, in the order of the table.
  package func rowsThatHold(in whole: ReportTable, month: String) -> [Match] {
    guard let index = whole.columns.firstIndex(where: { $0.name == column }) else { return [] }
    let monthIndex = whole.columns.firstIndex { $0.name == "month" }
    let period = whole.columns.firstIndex { $0.name == "k" }
    let keys = whole.columns.indices.filter { whole.columns[$0].kind == .key || $0 == period }
    let counted = whole.columns.indices.filter {
      period != nil && $0 != period && $0 != index && whole.columns[$0].kind == .count
    }
    return whole.rows.compactMap { row in
      if let monthIndex, row[monthIndex] != .text(month) { return nil }
      guard holds(for: row[index]) else { return nil }
      let texts = keys.compactMap { position -> (name: String, value: String)? in
        switch row[position] {
        case .text(let text) where !text.isEmpty: return (whole.columns[position].name, text)
        case .count(let count): return (whole.columns[position].name, String(count))
        default: return nil
        }
      }
      let counts = counted.compactMap { position -> (name: String, value: Int)? in
        guard case .count(let count) = row[position] else { return nil }
        return (whole.columns[position].name, count)
      }
      return Match(keys: texts, cell: row[index], counts: counts)
    }
  }

  /// Returns whether the condition holds for a cell; never for a missing one or a text.
  private func holds(for cell: ReportTable.Cell) -> Bool {
    let scale = (0..<threshold.scale).reduce(Int128(1)) { power, _ in power * 10 }
    switch cell {
    case .missing, .text: return false
    case .count(let count): return compare(Int128(count) * scale, threshold.digits)
    case .ratio(let numerator, let denominator):
      return compare(numerator * scale, threshold.digits * denominator)
    case .money(let milliunits): return compare(milliunits * scale, threshold.digits * 1_000)
    case .hundredths(let hundredths):
      return compare(Int128(hundredths) * scale, threshold.digits * 100)
    case .fraction(let fraction):
      return compare(fraction * Double(scale), Double(threshold.digits))
    }
  }

  private func compare<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
    switch comparison {
    case .atLeast: left >= right
    case .atMost: left <= right
    case .notEqual: left != right
    case .equal: left == right
    case .more: left > right
    case .less: left < right
    }
  }

  /// Returns whether two conditions have the same text.
  package static func == (left: Condition, right: Condition) -> Bool { left.text == right.text }
}

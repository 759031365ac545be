package import SubscriptionModel

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

  /// What the column is compared with.
  enum Bound: Sendable {
    case number(ExactFraction)
    /// So many times the number of the month before.
    case previous(ExactFraction)
    /// The twelve months before: METRICS.md section 11, "Conditions".
    case unusual
  }

  /// Why a text is no condition.
  package enum Fault: Error, Equatable {
    case form
    /// No table has the column.
    case column(String)
    /// The table is not made from the source.
    case source(String, TableKind)
    /// Only these rates are compared with twelve months.
    case notUnusual([String])
    /// The table has no month before.
    case noMonths(TableKind)
  }

  /// The condition as the user wrote it.
  package let text: String
  /// The table that has the column.
  package let table: TableKind
  /// The column's name.
  package let column: String
  /// The source whose rows are tested; `nil` for all.
  package let source: String?
  /// The column as the user wrote it: `churn_rate`, `churn.churn_rate` or `churn_rate@events`.
  package let name: String
  /// The number as the user wrote it; blank where there is none.
  package let limit: String
  /// Whether the column is a rate and the number more than 1, which is 100 %: probably it was meant in percent.
  package let isAboveWhole: Bool
  /// Whether the comparison is an inequality such as `>`, not `=` or `!=`.
  package var isBound: Bool { comparison != .equal && comparison != .notEqual }
  private let comparison: Comparison
  let bound: Bound

  /// Reads a condition.
  ///
  /// It is `table.column@source`, of which table and source may be left out, a comparison and a number, such as
  /// `churn_rate>0.08`, or `previous` in place of the number, as in `churn_rate > 1.2 * previous`, or the word `unusual`
  /// after the column. A column without a table belongs to the command's own table, or to the first that has it.
  ///
  /// `own` is the table that the command prints; `nil` for all.
  ///
  /// - Throws: ``Fault``, of which the form is the first.
  package init(_ text: String, of own: TableKind? = nil) throws(Fault) {
    let words = text.split(separator: " ")
    if words.count == 2, words[1] == "unusual" {
      (name, limit, comparison, bound) = (String(words[0]), "", .notEqual, .unusual)
    } else {
      guard let sign = Comparison.allCases.first(where: { text.contains($0.rawValue) }) else {
        throw .form
      }
      let parts = text.split(
        separator: sign.rawValue, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let bound = Self.bound(Self.trimmed(parts[1])) else { throw .form }
      (name, limit) = (Self.trimmed(parts[0]), Self.trimmed(parts[1]))
      (comparison, self.bound) = (sign, bound)
    }
    let sides = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let names = (sides.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard let column = names.last.map(String.init), !column.isEmpty else { throw .form }
    let owner = ([own].compactMap(\.self) + TableKind.allCases).first { kind in
      (names.count == 1 || names.count == 2 && names[0] == kind.rawValue)
        && Definition.definition(of: kind).columns.contains {
          $0.column.name == column && $0.column.kind != .text
        }
    }
    guard let table = owner else { throw .column(sides.first.map(String.init) ?? "") }
    source = sides.count > 1 ? String(sides[1]) : nil
    if let source, !Definition.definition(of: table).sourceNames.contains(source) {
      throw .source(source, table)
    }
    (self.text, self.table, self.column) = (text, table, column)
    let isRate = Definition.definition(of: table).columns.contains {
      $0.column.name == column && $0.column.kind == .rate
    }
    if case .number(let number) = bound {
      isAboveWhole = isRate && number > ExactFraction(1, over: 1)
    } else {
      isAboveWhole = false
    }
    if case .previous = bound, !Definition.definition(of: table).keys.leading.contains("month") {
      throw .noMonths(table)
    }
    if case .unusual = bound, rate == nil {
      throw .notUnusual(Headline.driven.filter(\.isRate).map(\.rawValue))
    }
  }

  /// The headline rate that the column is, whose earlier values are known at the age of the tested month; `nil` for others.
  var rate: Headline? {
    Headline.driven.first { $0.isRate && $0.table == table && $0.rawValue == column }
  }

  /// Whether the column is an amount divided by another one, so that its parts are money.
  package var isRatioOfMoney: Bool {
    let part = ColumnMakeup.of(column, in: table)?.parts?.first
    return Definition.definition(of: table).columns.contains {
      $0.column.name == part && $0.column.kind == .money
    }
  }

  /// Returns what a text such as `0.08`, `previous` or `1.2 * previous` stands for.
  private static func bound(_ text: String) -> Bound? {
    guard text.hasSuffix("previous") else { return decimal(text).map(Bound.number) }
    let factor = trimmed(text.dropLast("previous".count))
    guard !factor.isEmpty else { return .previous(ExactFraction(1, over: 1)) }
    guard factor.hasSuffix("*") else { return nil }
    return decimal(trimmed(factor.dropLast())).map(Bound.previous)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private static func decimal(_ text: String) -> ExactFraction? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard (1...2).contains(parts.count), !digits.isEmpty, digits.count <= 18,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int128(digits)
    else { return nil }
    let scale = (0..<(parts.count == 2 ? parts[1].count : 0)).reduce(Int128(1)) { scale, _ in
      scale * 10
    }
    return ExactFraction(isNegative ? -number : number, over: scale)
  }

  /// A row for which a condition holds.
  package struct Match: Equatable, Sendable {
    /// The cells that identify the row, with the names of their columns.
    package let keys: [(name: String, value: String)]
    /// The cell of the condition's column.
    package let cell: ReportTable.Cell
    /// The row's counts, only in a table with a row for each k: its rates are not ratios of counts.
    package let counts: [(name: String, value: Int)]
    /// The number or the earlier months that it is compared with.
    package let reference: Reference

    /// Returns whether two matches have equal cells.
    package static func == (left: Match, right: Match) -> Bool {
      left.cell == right.cell && left.reference == right.reference
        && left.keys.elementsEqual(right.keys, by: ==)
        && left.counts.elementsEqual(right.counts, by: ==)
    }
  }

  /// What a row for which a condition holds is compared with.
  package enum Reference: Equatable, Sendable {
    /// The number of the condition.
    case number
    /// The number of the month before.
    case previous(ReportTable.Cell)
    /// The months that count, their counts together, and the difference from their rate with its 99 % interval.
    case unusual(months: Int, TwoMonths.Ratio, RateDifference)
  }

  /// The answer to a condition about a row.
  package enum Outcome: Sendable {
    case holds(Match)
    /// The source of the row, and why its number cannot be compared.
    case unchecked(source: String, String)
  }

  /// Tests the rows of a month, or all in a table without months.
  ///
  /// Returns an outcome for each row for which the condition holds or cannot be tested, in the order of the table.
  package func outcomes(
    in whole: ReportTable, month: Month, _ maker: TableMaker, _ months: MonthSystem
  ) -> [Outcome] {
    guard let index = whole.columns.firstIndex(where: { $0.name == column }) else { return [] }
    let monthIndex = whole.columns.firstIndex { $0.name == "month" }
    let period = whole.columns.firstIndex { $0.name == "k" }
    let keys = whole.columns.indices.filter { whole.columns[$0].kind == .key || $0 == period }
    let counted = whole.columns.indices.filter {
      period != nil && $0 != period && $0 != index && whole.columns[$0].kind == .count
    }
    let past = EarlierNumbers(self, whole, month, maker, months)
    var seen: [String] = []
    return zip(whole.rows, whole.namedRows).compactMap { row, named in
      if let monthIndex, row[monthIndex] != .text(months.name(month)) { return nil }
      // A rate of all currencies is one number of its source.
      if past.isOfWhole {
        guard !seen.contains(named.source) else { return nil }
        seen.append(named.source)
      }
      let cell: ReportTable.Cell
      let reference: Reference
      do throws(EarlierNumbers.Unknown) {
        cell = past.isOfWhole ? try past.whole(named.source) : row[index]
        guard let found = try fulfilled(by: cell, named, past) else { return nil }
        reference = found
      } catch {
        return .unchecked(source: named.source, error.why)
      }
      let texts = keys.compactMap { position -> (name: String, value: String)? in
        let name = whole.columns[position].name
        if past.isOfWhole, !["source", "month"].contains(name) { return nil }
        switch row[position] {
        case .text(let text) where !text.isEmpty: return (name, text)
        case .count(let count): return (name, String(count))
        default: return nil
        }
      }
      let counts = counted.compactMap { position -> (name: String, value: Int)? in
        guard case .count(let count) = row[position] else { return nil }
        return (whole.columns[position].name, count)
      }
      return .holds(Match(keys: texts, cell: cell, counts: counts, reference: reference))
    }
  }

  /// Returns what a cell is compared with if it fulfils the condition, as a missing one or a text never does; else `nil`.
  private func fulfilled(
    by cell: ReportTable.Cell, _ row: ReportTable.NamedRow, _ past: EarlierNumbers
  ) throws(EarlierNumbers.Unknown) -> Reference? {
    switch (bound, cell) {
    case (_, .missing), (_, .text): return nil
    case (.number(let number), .fraction(let fraction)):
      return compare(fraction * Double(number.denominator), Double(number.numerator))
        ? .number : nil
    case (.number(let number), _):
      return cell.exact.map { compare($0, number) } == true ? .number : nil
    case (.previous(let factor), _):
      let before = try past.previous(of: row)
      guard let now = cell.exact, let then = before.exact else { return nil }
      let limit = ExactFraction(
        factor.numerator * then.numerator, over: factor.denominator * then.denominator)
      return compare(now, limit) ? .previous(before) : nil
    case (.unusual, _): return try past.departure(of: row, cell)
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

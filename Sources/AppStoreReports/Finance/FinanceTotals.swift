import Scanning
import Storage
package import SubscriptionModel

/// A trailer of a financial report, compared with the sum of the rows.
package struct TrailerCheck: Equatable, Sendable {
  /// A count or an amount.
  package enum Value: Hashable, Sendable {
    /// Rows or units.
    case count(Int)
    /// An amount in milliunits.
    case money(milliunits: Int128)
    /// What a trailer has in place of a number.
    case text(String)
  }

  /// The result of the comparison.
  package enum State: String, Sendable {
    case ok
    /// The sums differ, so the file is not used.
    case failed
    /// The file has no such trailer, or rejected rows are missing from the sum.
    case missing
    /// The sums differ, but Apple's definition of the trailer is not certain.
    case warning
  }

  /// The trailer's name, such as `Total_Amount`, or `summary DE EUR`.
  package let name: String
  /// The trailer's value; `nil` if it is missing.
  package let printed: Value?
  /// The sum of the rows.
  package let sum: Value
  /// The result of the comparison.
  package let state: State

  package init(name: String, printed: Value?, sum: Value, state: State) {
    self.name = name
    self.printed = printed
    self.sum = sum
    self.state = state
  }
}

/// Adds up the rows of a financial report, and compares the sums with its trailers.
///
/// Sums are compared as numbers: 179 equals 179.00, and 1,398.00 equals 1398. METRICS.md section 7, "Trailers".
struct FinanceTotals {
  /// The key of a sum in the summary.
  private struct Pair: Hashable {
    var country: Symbol
    var currency: Symbol
  }

  private var rowCount = 0
  /// The countries and currencies of rejected rows, whose sums therefore lack rows.
  private var rejectedPairs: Set<Pair> = []
  private var rejectedCount = 0
  /// Whether a rejected row has no readable country or currency, so that any sum may lack it.
  private var hasUnreadablePair = false
  private var amount: Int128 = 0
  private var positiveUnits = 0
  private var amounts: [Pair: Int128] = [:]
  private var units: [Pair: Int] = [:]

  /// The trailers `Total_…`: the name in lower case, and the value as text.
  private var totals: [(name: String, text: String)] = []
  private var hasSummary = false
  /// The rows of the summary by country and currency, as text.
  private var summary: [(country: String, currency: String, units: String, amount: String)] = []

  /// Adds a row.
  mutating func add(_ row: FinanceRow) {
    rowCount += 1
    amount += Int128(row.extendedShare)
    positiveUnits += max(0, Int(row.quantity))
    let pair = Pair(country: row.country, currency: row.currency)
    amounts[pair, default: 0] += Int128(row.extendedShare)
    units[pair, default: 0] += Int(row.quantity)
  }

  /// Counts a rejected row, which is missing from the sums.
  mutating func add(_ rejected: RejectedRow) {
    rejectedCount += 1
    if let country = rejected.country, let currency = rejected.currency {
      rejectedPairs.insert(Pair(country: country, currency: currency))
    } else {
      hasUnreadablePair = true
    }
  }

  /// Reads a line below the rows.
  mutating func read(_ cells: [String]) {
    if FinanceLine.isSummaryHeader(cells) {
      hasSummary = true
    } else if FinanceLine.isTotal(cells) {
      let filled = cells.filter { !$0.isEmpty }
      let parts = filled[0].split(separator: ":", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? parts[1] : filled.dropFirst().first ?? ""
      let name = parts[0].lowercased()
      // Before 2009, the currency is after the total: 32.68 AUD.
      let number = value.split(separator: " ").first.map(String.init) ?? ""
      totals.append((name == "total" ? "total_amount" : name, number))
    } else if FinanceLine.isSummaryRow(cells) {
      hasSummary = true
      summary.append((cells[0], cells[1], cells[2], cells[3]))
    }
  }

  /// Returns the checks of all trailers; without trailers, one check with the state `missing`.
  func checks(_ registries: Registries) -> [TrailerCheck] {
    var checks: [TrailerCheck] = []
    if !totals.isEmpty {
      checks += [
        total("Total_Rows", .count(rowCount + rejectedCount)),
        total("Total_Amount", .money(milliunits: amount), lacksRows: rejectedCount > 0),
        total(
          "Total_Units", .count(positiveUnits), isCertain: false, lacksRows: rejectedCount > 0),
      ]
    }
    if hasSummary { checks += summaryChecks(registries) }
    if checks.isEmpty {
      checks.append(
        TrailerCheck(
          name: "trailers", printed: nil, sum: .money(milliunits: amount), state: .missing))
    }
    return checks
  }

  /// Returns the check of a trailer `Total_…`.
  ///
  /// - Parameters:
  ///   - name: The trailer's name.
  ///   - sum: The sum of the rows.
  ///   - isCertain: Whether Apple's definition of the trailer is certain.
  ///   - lacksRows: Whether rejected rows are missing from the sum.
  /// - Returns: The check; `missing` if the report has no such trailer.
  private func total(
    _ name: String, _ sum: TrailerCheck.Value, isCertain: Bool = true, lacksRows: Bool = false
  ) -> TrailerCheck {
    guard let text = totals.first(where: { $0.name == name.lowercased() })?.text else {
      return TrailerCheck(name: name, printed: nil, sum: sum, state: .missing)
    }
    return Self.check(name, printed: text, sum, isCertain: isCertain, lacksRows: lacksRows)
  }

  private func summaryChecks(_ registries: Registries) -> [TrailerCheck] {
    var unlisted = Set(amounts.keys)
    var checks: [TrailerCheck] = []
    for line in summary {
      let pair = Pair(
        country: registries.symbol(of: countryCode(line.country)),
        currency: registries.symbol(of: line.currency))
      unlisted.remove(pair)
      let name = "summary \(line.country) \(line.currency)"
      let lacksRows = hasUnreadablePair || rejectedPairs.contains(pair)
      checks.append(
        Self.check(
          name, printed: line.amount, .money(milliunits: amounts[pair] ?? 0), lacksRows: lacksRows))
      checks.append(
        Self.check(
          name + " units", printed: line.units, .count(units[pair] ?? 0), isCertain: false,
          lacksRows: lacksRows))
    }
    let unlistedChecks = unlisted.map { pair in
      TrailerCheck(
        name: "summary \(registries.text(of: pair.country)) \(registries.text(of: pair.currency))",
        printed: nil, sum: .money(milliunits: amounts[pair] ?? 0), state: .failed)
    }
    return checks + unlistedChecks.sorted { $0.name < $1.name }
  }

  private static func check(
    _ name: String, printed text: String, _ sum: TrailerCheck.Value, isCertain: Bool = true,
    lacksRows: Bool = false
  ) -> TrailerCheck {
    let printed = value(text, like: sum)
    let state: TrailerCheck.State =
      lacksRows ? .missing : printed == sum ? .ok : isCertain ? .failed : .warning
    return TrailerCheck(name: name, printed: printed, sum: sum, state: state)
  }

  /// Reads the value of a trailer; `nil` if it has none.
  private static func value(_ text: String, like sum: TrailerCheck.Value) -> TrailerCheck.Value? {
    guard !text.isEmpty else { return nil }
    guard let milliunits = groupedMilliunits(text) else { return .text(text) }
    if case .money = sum { return .money(milliunits: Int128(milliunits)) }
    return milliunits % 1_000 == 0 ? .count(Int(milliunits / 1_000)) : .text(text)
  }
}

extension TrailerCheck.Value: CustomStringConvertible {
  /// The value for messages, such as `6` or `206.89`.
  package var description: String {
    switch self {
    case .count(let count): String(count)
    case .money(let milliunits): exactAmount(milliunits)
    case .text(let text): text
    }
  }
}

/// The statement of a financial report, and the checks of its trailers.
package struct CheckedStatement: Sendable {
  /// The statement.
  package let statement: FinanceStatement
  /// The checks of the trailers.
  package let checks: [TrailerCheck]

  /// The error for the first failed check; `nil` without one.
  package var problem: FinanceError? {
    checks.first { $0.state == .failed }.map { check in
      .trailerMismatch(
        name: check.name, printed: check.printed?.description ?? "nothing",
        sum: check.sum.description)
    }
  }
}

import Storage
import SubscriptionModel

/// Steps 40 to 60 of one bridge: from the settlement to the bank.
struct PaymentLines {
  private let statement: PaymentsStatement?
  private let row: PaymentsRow?
  private let period: FiscalPeriod
  /// The reason why there is no statement.
  private let missingCause: String

  init(_ name: BridgeName, _ records: FinanceData) {
    period = name.period
    missingCause =
      records.conflictingPayments[name.period].map { Self.rivalCause($0, name.period) }
      ?? "no payments CSV"
    statement = records.payments.first { $0.period == name.period }
    row = statement?.rows.first { $0.region == name.region && $0.currency == name.currency }
  }

  private typealias Entry = Bridge.Entry

  private static let belowThreshold = "below threshold"
  private static let noRate = "no exchange rate"
  /// The causes of a payment that Apple does not make: the amount owed is carried over.
  static let unpaidCauses: Set<String> = [belowThreshold, noRate]

  private static func rivalCause(_ files: [String], _ period: FiscalPeriod) -> String {
    let count = files.count == 2 ? "two" : "\(files.count)"
    return
      "\(count) payments CSVs of \(period) that differ: \(files.joined(separator: ", ")); keep the right one"
  }

  func entries(settled: Bridge.Entry) -> [Bridge.Entry] {
    guard let statement else { return unknownEntries() }
    let amounts: [(Bridge.Line, Int64)] = [
      (.inputTax, row?.inputTax ?? 0), (.adjustments, row?.adjustments ?? 0),
      (.withholdingTax, row?.withholdingTax ?? 0), (.carriedBalance, row?.carriedBalance ?? 0),
    ]
    var entries = amounts.map { Entry($0, Int128($1)) }
    if !statement.hasBalanceColumn { entries[3].cause = "no such column" }
    let owed = Int128(row?.totalOwed ?? 0)
    let known = entries.compactMap(\.amount).reduce(0, +)
    let unexplained =
      settled.amount.map { Entry(.unexplainedPayment, owed - $0 - known) }
      ?? Entry(.unexplainedPayment, unknown: settled.cause)
    entries += [unexplained, Entry(.totalOwed, owed)]
    if row == nil {
      for index in entries.indices where entries[index].cause.isEmpty {
        entries[index].cause = Bridge.notInPayments
      }
    }
    return entries + [payment(statement)]
  }

  /// Returns the row of the payments CSV that prints a line; `nil` if there is no such row or column.
  func place(of line: Bridge.Line) -> BridgeContribution.Place? {
    guard let statement, let row else { return nil }
    guard line != .carriedBalance || statement.hasBalanceColumn else { return nil }
    return BridgeContribution.Place(fileIndex: statement.fileIndex, line: Int(row.line))
  }

  private func payment(_ statement: PaymentsStatement) -> Bridge.Entry {
    let bank = ([row].compactMap(\.self) + statement.rows).map(\.bankCurrency)
      .first { $0 != .blank }
    if row?.isBelowThreshold == true {
      var entry = Entry(.payment, unknown: Self.belowThreshold)
      entry.bankCurrency = bank
      return entry
    }
    // A region that a final payments CSV does not list is paid nothing.
    let proceeds = row == nil && !statement.isPending ? 0 : row?.proceeds
    var entry = Entry(.payment, proceeds.map { Int128($0) })
    entry.bankCurrency = bank
    if row == nil { entry.cause = Bridge.notInPayments }
    if proceeds == nil { entry.cause = statement.isPending ? "not paid yet" : Self.noRate }
    entry.evidence = evidence(rate: proceeds.flatMap(rate))
    return entry
  }

  /// Returns the exchange rate of the payment, bank currency per unit owed; `nil` if nothing is owed.
  private func rate(_ proceeds: Int64) -> String? {
    guard let owed = row?.totalOwed, owed != 0 else { return nil }
    return exactRate(Int128(proceeds), over: Int128(owed))
  }

  private func evidence(rate: String?) -> String {
    (rate.map { "rate \($0); " } ?? "") + "due \(period.expectedPaymentDay)"
  }

  private func unknownEntries() -> [Bridge.Entry] {
    var entries = Bridge.Line.steps(40...60).map { Entry($0, unknown: missingCause) }
    entries[entries.count - 1].evidence = evidence(rate: nil)
    return entries
  }
}

extension Bridge.Entry {
  /// Whether this is a payment that Apple does not make, so that the amount owed is carried over.
  package var isCarriedOver: Bool { line == .payment && PaymentLines.unpaidCauses.contains(cause) }
}

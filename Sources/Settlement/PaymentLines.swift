import Storage
import SubscriptionModel

/// Steps 40 to 60 of one bridge: from the settlement to the bank.
struct PaymentLines {
  /// The period's payments CSVs, one of each vendor.
  private let statements: [PaymentsStatement]
  /// The rows of the bridge, with their statements.
  private let rows: [(statement: PaymentsStatement, row: PaymentsRow)]
  private let period: FiscalPeriod
  /// The reason why the lines are unknown; `nil` if they are known.
  private let missingCause: String?

  init(_ name: BridgeName, _ builder: BridgeBuilder) {
    let records = builder.records
    let unpaid = builder.input.unpaidVendors(name.period, name.currency)
    period = name.period
    statements = records.payments.filter { $0.period == name.period }
    rows = statements.flatMap { statement in
      statement.rows.filter { $0.region == name.region && $0.currency == name.currency }
        .map { (statement, $0) }
    }
    missingCause =
      records.unusablePayments[name.period]
      ?? (statements.isEmpty
        ? "no payments CSV" : unpaid.isEmpty ? nil : "no payments CSV of \(unpaid.listed())")
  }

  private typealias Entry = Bridge.Entry

  private static let belowThreshold = "below threshold"
  private static let noRate = "no exchange rate"
  /// The causes of a payment that Apple does not make: the amount owed is carried over.
  static let unpaidCauses: Set<String> = [belowThreshold, noRate]

  func entries(settled: Bridge.Entry) -> [Bridge.Entry] {
    if let missingCause { return unknownEntries(missingCause) }
    let amounts: [(Bridge.Line, KeyPath<PaymentsRow, Int64>)] = [
      (.inputTax, \.inputTax), (.adjustments, \.adjustments),
      (.withholdingTax, \.withholdingTax), (.carriedBalance, \.carriedBalance),
    ]
    var entries = amounts.map { Entry($0, sum($1)) }
    if !statements.contains(where: \.hasBalanceColumn) { entries[3].cause = "no such column" }
    let owed = sum(\.totalOwed)
    let known = entries.compactMap(\.amount).reduce(0, +)
    let unexplained =
      settled.amount.map { Entry(.unexplainedPayment, owed - $0 - known) }
      ?? Entry(.unexplainedPayment, unknown: settled.cause)
    entries += [unexplained, Entry(.totalOwed, owed)]
    if rows.isEmpty {
      for index in entries.indices where entries[index].cause.isEmpty {
        entries[index].cause = Bridge.notInPayments
      }
      return entries + [paymentWithoutRow()]
    }
    return entries + payments()
  }

  /// Returns the rows of the payments CSVs that add up to an entry, each with its amount; none without such a column.
  func parts(of entry: Bridge.Entry) -> [(place: BridgeContribution.Place, amount: Int128)] {
    rows.compactMap { statement, row in
      let amount: Int64? =
        switch entry.line {
        case .inputTax: row.inputTax
        case .adjustments: row.adjustments
        case .withholdingTax: row.withholdingTax
        case .carriedBalance: statement.hasBalanceColumn ? row.carriedBalance : nil
        case .totalOwed: row.totalOwed
        default:
          Self.cause(row, statement) == entry.cause
            && bank(row, statement) == entry.bankCurrency ? row.proceeds : nil
        }
      let place = BridgeContribution.Place(fileIndex: statement.fileIndex, line: Int(row.line))
      return amount.map { (place, Int128($0)) }
    }
  }

  private func sum(_ amount: KeyPath<PaymentsRow, Int64>) -> Int128 {
    rows.reduce(0) { $0 + Int128($1.row[keyPath: amount]) }
  }

  // MARK: Payments

  /// Returns the payment to each bank account, and the unpaid amount; mostly one entry.
  private func payments() -> [Bridge.Entry] {
    var groups: [(cause: String, bank: Symbol?, rows: [PaymentsRow])] = []
    for (statement, row) in rows {
      let (cause, bank) = (Self.cause(row, statement), bank(row, statement))
      if let same = groups.firstIndex(where: { $0.cause == cause && $0.bank == bank }) {
        groups[same].rows.append(row)
      } else {
        groups.append((cause, bank, [row]))
      }
    }
    let causes = ["", Self.belowThreshold, Self.noRate, Bridge.notPaidYet]
    return causes.flatMap { cause in
      groups.filter { $0.cause == cause }.map { payment($0.rows, cause: cause, bank: $0.bank) }
    }
  }

  private static func cause(_ row: PaymentsRow, _ statement: PaymentsStatement) -> String {
    if statement.isPending { return Bridge.notPaidYet }
    if row.isBelowThreshold { return belowThreshold }
    return row.proceeds == nil ? noRate : ""
  }

  private func bank(_ row: PaymentsRow, _ statement: PaymentsStatement) -> Symbol? {
    ([row] + statement.rows).map(\.bankCurrency).first { $0 != .blank }
  }

  private func payment(_ rows: [PaymentsRow], cause: String, bank: Symbol?) -> Bridge.Entry {
    let proceeds = rows.map(\.proceeds)
    let isKnown = !proceeds.contains(nil)
    var entry = Entry(.payment, isKnown ? proceeds.reduce(0) { $0 + Int128($1 ?? 0) } : nil)
    let owed = rows.reduce(0) { $0 + Int128($1.totalOwed) }
    (entry.bankCurrency, entry.owed, entry.cause) = (bank, owed, cause)
    if cause == Bridge.notPaidYet, isKnown { entry.status = .estimate }
    if cause != Self.belowThreshold {
      entry.evidence = evidence(rate: entry.amount.flatMap { rate($0, of: owed) })
    }
    return entry
  }

  /// Returns the payment of a region that no payments CSV lists: nothing, once one is final.
  private func paymentWithoutRow() -> Bridge.Entry {
    let isPending = statements.allSatisfy(\.isPending)
    var entry = Entry(.payment, isPending ? nil : 0)
    entry.bankCurrency = statements.flatMap(\.rows).map(\.bankCurrency).first { $0 != .blank }
    entry.cause = isPending ? Bridge.notPaidYet : Bridge.notInPayments
    entry.evidence = evidence(rate: nil)
    return entry
  }

  /// Returns the exchange rate of the payment, bank currency per unit owed; `nil` if nothing is owed.
  private func rate(_ proceeds: Int128, of owed: Int128) -> String? {
    owed == 0 ? nil : exactRate(proceeds, over: owed)
  }

  private func evidence(rate: String?) -> String {
    (rate.map { "rate \($0); " } ?? "") + "due \(period.expectedPaymentDay)"
  }

  private func unknownEntries(_ cause: String) -> [Bridge.Entry] {
    var entries = Bridge.Line.steps(40...60).map { Entry($0, unknown: cause) }
    entries[entries.count - 1].evidence = evidence(rate: nil)
    return entries
  }
}

extension Bridge.Entry {
  /// Whether this is a payment that Apple does not make, so that the amount owed is carried over.
  package var isCarriedOver: Bool { line == .payment && PaymentLines.unpaidCauses.contains(cause) }
}

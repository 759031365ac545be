import Metrics
import Rendering
import SubscriptionModel

/// The page on one fiscal period, for a controller to file.
struct SettlementPage {
  let report: FinanceReport
  let period: FiscalPeriod
  let bridges: [Bridge]
  private let checks: [Check]
  private let names: Names

  /// The number of differences that the page lists for each bridge.
  private static let shownDifferences = 5

  init(_ report: FinanceReport, _ period: FiscalPeriod, checks: [Check]) {
    self.report = report
    self.period = period
    self.checks = checks
    names = report.names
    bridges = report.reconciliation.bridges.filter { $0.period == period }
  }

  func text() -> String {
    """
    # Settlement of fiscal period \(period)\(report.result.settlementTitleEnd): \(report.verdict(of: period).rawValue)

    \(report.headline(period))

    \(period.firstDay) to \(period.lastDay), \(period.weekCount) weeks; Apple calls it \
    \(period.nameMonth.longName(.calendar)). \(report.paymentSentences(period)) Sales and \
    Trends is an estimate, and Apple advises against forcing the two equal: this page shows the \
    difference with its causes.


    """ + list("Result", verdict() + payments()) + report.overview(bridges) + "\n"
      + bridges.map(section).joined() + list("What is estimated", items(.estimate))
      + list("What is missing", missing()) + checksums()
  }

  private func list(_ title: String, _ items: [String]) -> String {
    "## \(title)\n\n" + (items.isEmpty ? "Nothing.\n" : items.map { "- \($0)\n" }.joined()) + "\n"
  }

  // MARK: Bridges

  private func section(_ bridge: Bridge) -> String {
    let table = ReportTable(
      name: "bridge", dimensions: [],
      columns: [
        .init("step", .count), .init("line", .key), .init("meaning", .text),
        .init("amount", .money), .init("currency", .key), .init("units", .count),
        .init("status", .text), .init("low", .money), .init("high", .money), .init("cause", .text),
        .init("evidence", .text),
      ],
      rows: bridge.entries.map { entry in
        [
          .count(entry.line.rawValue), .text(entry.line.name), .text(entry.line.meaning),
          .amount(entry.amount), .text(names.currency(of: entry, bridge)),
          entry.count.map { .count($0) } ?? .missing, .text(entry.status.rawValue),
          .amount(entry.low), .amount(entry.high), .text(entry.cause), .text(entry.evidence),
        ]
      })
    return "## \(MarkdownText.escaped(report.place(bridge)))\n\n"
      + TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n" + differences(bridge)
  }

  private func differences(_ bridge: Bridge) -> String {
    let found = report.reconciliation.differences(of: bridge, limit: Self.shownDifferences)
    guard !found.isEmpty else { return "No difference between sales and settlement.\n\n" }
    let table = ReportTable(
      name: "differences", dimensions: [],
      columns: [
        .init("product", .key), .init("country", .key), .init("amount", .money),
        .init("units", .count), .init("line", .text), .init("meaning", .text),
        .init("status", .text), .init("cause", .text),
      ],
      rows: found.map { difference in
        let entry = difference.entry
        return [
          .text(names.product(difference.product)), .text(names.text(difference.country)),
          .amount(entry.amount), entry.count.map { .count($0) } ?? .missing,
          .text(entry.line.name), .text(entry.line.meaning), .text(entry.status.rawValue),
          .text(entry.cause),
        ]
      })
    return "The largest differences by product and country:\n\n"
      + TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n"
  }

  // MARK: Checksums

  private func checksums() -> String {
    let indices =
      report.records.statements.filter { $0.period == period }.map(\.fileIndex)
      + report.records.payments.filter { $0.period == period }.map(\.fileIndex)
    let files = Set(indices).sorted().map { report.result.files[$0] }
    let fileTable = ReportTable(
      name: "files", dimensions: [],
      columns: [.init("file", .text), .init("rows", .count), .init("sha256", .text)],
      rows: files.map {
        [.text($0.file.relativePath), .count($0.rows.read), .text($0.sha256)]
      })
    let paths = Set(files.map(\.file.relativePath))
    let own = checks.filter { check in
      check.scope.hasPrefix("\(period) ") || paths.contains { check.scope.hasPrefix($0) }
    }
    return "## Checksums\n\n" + TableRenderer(.md).text(of: fileTable) + "\n"
      + TableRenderer(.md).text(of: Checks.table(own))
  }
}

extension Bridge.Line {
  /// The meaning of the line for readers who do not know its name.
  fileprivate var meaning: String {
    switch self {
    case .salesGross: "sold, says Sales and Trends"
    case .salesRefunds: "refunded, says Sales and Trends"
    case .missingDays: "settled of days without a SALES report"
    case .cutoffIn: "sold in another period, settled in this"
    case .cutoffOut: "sold in this period, settled in another"
    case .refundTiming: "refunded in one period, settled in another"
    case .notCollected: "sold or refunded, not settled"
    case .shareDifference: "settled at another share"
    case .otherRegion: "sold in one region, settled in another"
    case .unexplainedSales, .unexplainedPayment: "explained by nothing"
    case .financeShare: "settled by Apple: the sum so far"
    case .inputTax: "tax that Apple passes on"
    case .adjustments: "adjusted by Apple"
    case .withholdingTax: "withheld by tax offices"
    case .carriedBalance: "carried over from earlier periods"
    case .totalOwed: "owed by Apple: the sum from 30"
    case .payment: "paid to the bank"
    }
  }
}

import Metrics
import Rendering
import SubscriptionModel

/// The page of one fiscal period that a controller can file.
struct SettlementPage {
  private let report: FinanceReport
  private let period: FiscalPeriod
  private let bridges: [Bridge]
  private let checks: [Check]
  private let names: Names

  /// How many differences of a bridge the page lists.
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
    # Settlement of fiscal period \(period)

    \(period.firstDay) to \(period.lastDay), \(period.weekCount) weeks; Apple calls it \
    \(period.nameMonth.longName(.calendar)). Payment is expected on \(period.expectedPaymentDay). Sales and \
    Trends is an estimate, and Apple advises against forcing the two equal: this page shows the \
    difference with its causes.


    """ + result() + bridges.map(section).joined() + list("What is estimated", estimates())
      + list("What is missing", missing()) + checksums()
  }

  // MARK: Result

  private func result() -> String {
    let findings = report.reconciliation.findings(tolerance: report.tolerance)
      .filter { $0.period == period }
    let most = NumberStyle.money(milliunits: report.tolerance)
    let verdict =
      findings.isEmpty
      ? ["Reconciled: nothing unexplained is larger than \(most)."]
      : findings.map {
        "**Unreconciled:** \(report.place($0)): \(report.text($0)), expected at most \(most)."
      }
    return "## Result\n\n" + verdict.map { "- \($0)\n" }.joined() + "\n"
      + report.overview(bridges) + "\n"
  }

  // MARK: Bridges

  private func section(_ bridge: Bridge) -> String {
    let title = "\(bridge.region) \(names.text(bridge.currency))"
    var table = report.reconciliation.table(names, periods: period...period)
    table.rows = table.rows.filter {
      $0[2] == .text(bridge.region) && $0[3] == .text(names.text(bridge.currency))
    }
    // The keys are in the title.
    let shown = ReportTable(
      name: "bridge", dimensions: [], columns: Array(table.columns.dropFirst(4)),
      rows: table.rows.map { Array($0.dropFirst(4)) })
    return "## \(MarkdownText.escaped(title))\n\n"
      + TableRenderer(.md).text(of: shown.withoutEmptyColumns) + "\n" + differences(bridge)
  }

  private func differences(_ bridge: Bridge) -> String {
    let found = report.reconciliation.differences(of: bridge, limit: Self.shownDifferences)
    guard !found.isEmpty else { return "No difference between sales and settlement.\n\n" }
    let table = ReportTable(
      name: "differences", dimensions: [],
      columns: [
        .init("product", .key), .init("country", .key), .init("amount", .money),
        .init("units", .count), .init("line", .text), .init("status", .text),
        .init("cause", .text),
      ],
      rows: found.map { difference in
        [
          .text(names.product(difference.product)), .text(names.text(difference.country)),
          difference.entry.amount.map { .money(milliunits: $0) } ?? .missing,
          difference.entry.count.map { .count($0) } ?? .missing,
          .text(difference.entry.line.name), .text(difference.entry.status.rawValue),
          .text(difference.entry.cause),
        ]
      })
    return "The largest differences by product and country:\n\n"
      + TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n"
  }

  // MARK: What is not certain

  /// One item a cause, with the lines and bridges that it is about.
  private func items(_ status: Bridge.Status) -> [String] {
    var places: [String: [String: Set<String>]] = [:]
    for bridge in bridges {
      for entry in bridge.entries where entry.status == status {
        let cause = [Bridge.rateCause, Bridge.otherCause].contains(entry.cause) ? "" : entry.cause
        places[cause, default: [:]][entry.line.name, default: []]
          .insert("\(bridge.region) \(names.text(bridge.currency))")
      }
    }
    return places.sorted { $0.key < $1.key }.map { cause, lines in
      let texts = lines.sorted { $0.key < $1.key }.map { line, bridges in
        "`\(line)` (\(bridges.count == self.bridges.count ? "all" : bridges.sorted().joined(separator: ", ")))"
      }
      return MarkdownText.escaped(cause.isEmpty ? "follows from the others" : cause) + ": "
        + texts.joined(separator: ", ")
    }
  }

  private func estimates() -> [String] { items(.estimate) }

  private func missing() -> [String] {
    let days = (period.firstDay.number...period.lastDay.number).map { Day(number: $0) }
      .filter { !report.records.salesDays.contains($0) }
    let missing = days.isEmpty ? [] : ["SALES reports of \(counted(days.count, "day"))"]
    let guessed = report.reconciliation.guessedRegions
    let regions =
      guessed.isEmpty
      ? [] : ["a region for \(guessed.joined(separator: ", ")), which is put into WW"]
    return missing + regions + items(.unknown)
  }

  private func list(_ title: String, _ items: [String]) -> String {
    "## \(title)\n\n" + (items.isEmpty ? "Nothing.\n" : items.map { "- \($0)\n" }.joined()) + "\n"
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

extension FinanceReport {
  /// Where the money of some bridges goes, one row each.
  func overview(_ bridges: [Bridge]) -> String {
    let lines: [Bridge.Line] = [
      .salesGross, .salesRefunds, .financeShare, .unexplainedSales, .totalOwed,
      .unexplainedPayment, .payment,
    ]
    let table = ReportTable(
      name: "overview", dimensions: [],
      columns: [.init("region", .key), .init("currency", .key)]
        + lines.map { .init($0.name, .money) } + [.init("bank", .key)],
      rows: bridges.map { bridge in
        let bank = bridge.entries(of: .payment).first?.bankCurrency
        return [.text(bridge.region), .text(names.text(bridge.currency))]
          + lines.map { line in
            bridge.amount(of: line).map { .money(milliunits: $0) } ?? .missing
          } + [.text(bank.map { names.text($0) } ?? "")]
      })
    return TableRenderer(.md).text(of: table)
  }

  /// The section of `summary.md`: the newest period, and what is wrong in any.
  func summary() -> String {
    guard let newest = periods.last else { return "" }
    let findings = reconciliation.findings(tolerance: tolerance)
    let bridges = reconciliation.bridges.filter { $0.period == newest }
    let pages = periods.map { "`\(Self.pageName($0))`" }.joined(separator: ", ")
    let verdict =
      findings.isEmpty
      ? "Everything that can be compared is reconciled."
      : "**Unreconciled:** \(counted(findings.count, "finding")) in \(Set(findings.map(\.period)).sorted().map(\.description).joined(separator: ", "))."
    return """
      ## Settlement

      From Sales and Trends to what Apple settles, owes and pays, by fiscal period, region and \
      currency; shown is \(newest). \(verdict)

      \(overview(bridges))
      Each period has a page with every line, its cause and its checksums: \(pages). All of it: \
      `reconcile.csv`, `reconcile-by-product.csv`.


      """
  }

  /// The name of a period's page, `reconcile-2026-03.md`.
  static func pageName(_ period: FiscalPeriod) -> String { "reconcile-\(period).md" }
}

import Counting
import Pipeline
import Rendering
import Settlement
import Storage
package import SubscriptionModel
package import Tables

/// The verdict on each bridge: METRICS.md section 7, "Verdict".
extension FinanceReport {
  /// Returns `verdicts.csv`.
  package func verdictTable() -> ReportTable {
    ReportTable(
      name: "verdicts", dimensions: [],
      columns: ["period", "region", "currency"].map { .init($0, .key) } + [
        .init("verdict", .text), .init("why", .text),
      ],
      rows: shownVerdicts.map { verdict in
        let bridge = verdict.bridge
        return [
          .text(bridge.period.description), .text(bridge.region),
          .text(names.text(bridge.currency)), .text(verdict.verdict.rawValue), .text(verdict.why),
        ]
      })
  }

  private var shownVerdicts: [BridgeVerdict] { verdicts.filter { isShown($0.bridge.period) } }

  func verdicts(of period: FiscalPeriod) -> [BridgeVerdict] {
    verdicts.filter { $0.bridge.period == period }
  }

  /// Returns one line for standard error for each period with bridges that could not be verified.
  ///
  /// Notes are about bridges that wait for a report that Apple has not made yet. The lines of a period that the user
  /// asked for are errors all the same.
  package func unverified(asked: FiscalPeriod? = nil) -> (errors: [String], notes: [String]) {
    let unverified = shownVerdicts.filter { $0.verdict == .notVerified }
    let isNote = { (verdict: BridgeVerdict) in
      verdict.waits && verdict.bridge.period != asked
    }
    return (lines(unverified.filter { !isNote($0) }), lines(unverified.filter(isNote)))
  }

  /// Returns one line for each period: its bridges, and the missing files or other reasons.
  private func lines(_ verdicts: [BridgeVerdict]) -> [String] {
    Dictionary(grouping: verdicts, by: \.bridge.period).sorted { $0.key < $1.key }
      .map { period, verdicts in
        let reasons = verdicts.flatMap(\.reasons).map { reason in
          reason.missing.map { "no \($0)" } ?? reason.text
        }
        let bridges = verdicts.map { name($0.bridge) }.listed()
        return
          "reconcile \(period): not verified: \(bridges): \(reasons.unique.listed()) [not-verified]"
      }
  }

  /// Returns the name of a bridge within its period, such as `US USD`.
  func name(_ bridge: Bridge) -> String { "\(bridge.region) \(names.text(bridge.currency))" }

  // MARK: Pages

  /// Returns the verdict of a period: the worst of its bridges.
  func verdict(of period: FiscalPeriod) -> Verdict {
    verdicts(of: period).map(\.verdict).min() ?? .notVerified
  }

  /// Returns the first line of a period's page: what agrees, the verdicts, the widest range, and what to download.
  ///
  /// Of a period that is unreconciled the verdicts come first.
  package func headline(_ period: FiscalPeriod) -> String {
    let own = verdicts(of: period)
    var sentences = groups(own).map { verdict, bridges in
      "**\(verdict.rawValue.capitalizedFirst):** \(MarkdownText.escaped(bridges))."
    }
    let isWrong = own.contains { $0.verdict == .unreconciled }
    sentences.insert(agreement(own.map(\.bridge)), at: isWrong ? sentences.count : 0)
    if hasNoSales(period) {
      sentences.append("Sales are not checked: no SALES report of this period.")
    }
    sentences += widestRange(own.map(\.bridge), of: period)
    if let downloads = downloads(own) { sentences.append(downloads) }
    return sentences.joined(separator: " ")
  }

  /// Returns whether no day of a period has a SALES report, so that its settlement was compared with no sales.
  func hasNoSales(_ period: FiscalPeriod) -> Bool {
    !(period.firstDay.number...period.lastDay.number).contains {
      records.salesDays.contains(Day(number: $0))
    }
  }

  /// Returns such as `From the settlement to the amount owed everything agrees: 7 bridges`.
  func agreement(_ bridges: [Bridge]) -> String {
    let balances = carriedBalances
    let failed = balances.filter { $0.state == .failed }
    let compared = bridges.filter { $0.amount(of: .unexplainedPayment) != nil }
    let differing = compared.count { bridge in
      abs(bridge.amount(of: .unexplainedPayment) ?? 0) > tolerance
        || failed.contains {
          $0.period == bridge.period && $0.region == bridge.region
            && $0.currency == bridge.currency
        }
    }
    let causes = bridges.filter { $0.amount(of: .unexplainedPayment) == nil }
      .flatMap { $0.entries(of: .unexplainedPayment).map(\.cause) }.unique.listed()
    let start = "From the settlement to the amount owed"
    let why = causes.isEmpty ? "" : ": \(MarkdownText.escaped(causes))"
    let total = counted(bridges.count, "settlement")
    guard !compared.isEmpty else { return "\(start) nothing could be compared\(why)." }
    let open = bridges.count - compared.count
    // Those of the first period too: no file before it has the balance.
    let unknown = compared.filter { bridge in
      !balances.contains {
        $0.state != .missing && $0.period == bridge.period && $0.region == bridge.region
          && $0.currency == bridge.currency
      }
    }
    let periods = unknown.map(\.period.description).unique.listed()
    let balance =
      unknown.isEmpty
      ? ""
      : " Not checked: the balance carried over into \(periods) (\(counted(unknown.count, "settlement")))."
    guard differing > 0 || open > 0 else {
      let all = unknown.isEmpty ? "everything" : "every other number"
      return "\(start) \(all) agrees: \(total).\(balance)"
    }
    var parts = ["\(compared.count - differing) of \(total) agree"]
    if differing > 0 { parts.append("\(differing) differ\(differing == 1 ? "s" : "")") }
    if open > 0 { parts.append("\(open) could not be compared\(why)") }
    return "\(start) \(parts.joined(separator: ", ")).\(balance)"
  }

  /// The lines that `check` prints about unreconciled periods: the verdicts, and what to download.
  ///
  /// A period is left out if all its bridges are reconciled or wait for a report that Apple has not made yet.
  package var advice: [String] {
    periods.compactMap { period in
      let own = verdicts(of: period)
      guard own.contains(where: { $0.verdict != .reconciled && !$0.waits }) else {
        return nil
      }
      let groups = groups(own).map { "\($0.rawValue): \($1)" }.joined(separator: "; ")
      return (["settlement \(period): \(groups)."] + [downloads(own)].compactMap(\.self))
        .joined(separator: " ")
    }
  }

  /// Returns the verdicts, worst first, each with its bridges: `all`, or `US USD, EU EUR and 2 more`.
  private func groups(_ verdicts: [BridgeVerdict]) -> [(verdict: Verdict, bridges: String)] {
    let groups = Dictionary(grouping: verdicts, by: \.verdict).sorted { $0.key < $1.key }
    return groups.map { verdict, found in
      (verdict, groups.count == 1 ? "all" : found.map { name($0.bridge) }.listed())
    }
  }

  /// Returns the sentence `To download: …`; `nil` when nothing is missing.
  ///
  /// Neighbouring periods without any SALES report are one item: `SALES of 2026-02-01 to 2026-09-26`.
  func downloads(_ verdicts: [BridgeVerdict]) -> String? {
    let reasons = verdicts.flatMap(\.reasons)
    let sales = reasons.compactMap(\.salesOf).unique.sorted().runs { $0 + 1 }
      .map { "SALES of \($0.lowerBound.firstDay) to \($0.upperBound.lastDay)" }
    let items = reasons.flatMap { reason in
      reason.salesOf == nil ? [reason.download].compactMap(\.self) : sales
    }.unique
    return items.isEmpty ? nil : "To download: \(items.joined(separator: "; "))."
  }

  /// Returns sentences on the widest range of an amount, and on estimates without a range.
  private func widestRange(_ bridges: [Bridge], of period: FiscalPeriod) -> [String] {
    var widest: (width: Int128, text: String)?
    for bridge in bridges {
      for entry in bridge.entries {
        guard let low = entry.low, let high = entry.high, high - low > widest?.width ?? 0 else {
          continue
        }
        let currency = names.text(bridge.currency)
        let range = [low, high].map {
          HeadlineFigures.text(.money(milliunits: $0), currency: currency)
        }.joined(separator: " to ")
        let cause = entry.line == .shareDifference ? " (\(entry.cause))" : ""
        let left = entry.line == .unexplainedSales ? " (\(Bridge.outsideRange))" : ""
        widest = (high - low, "`\(entry.line.name)`\(cause) of \(name(bridge)), \(range)\(left)")
      }
    }
    let withoutRange = linesWithoutRange(bridges, of: period)
    guard let widest else {
      return withoutRange.map { [$0] } ?? (hasNoSales(period) ? [] : ["No amount has a range."])
    }
    return ["The widest range is that of \(widest.text)."] + [withoutRange].compactMap(\.self)
  }

  /// Returns a sentence on estimates without a known range; `nil` without any.
  ///
  /// Without any SALES report line 12 has the settled units of the period; another sentence says that sales are not checked.
  private func linesWithoutRange(_ bridges: [Bridge], of period: FiscalPeriod) -> String? {
    guard !hasNoSales(period) else { return nil }
    let found = Set(
      bridges.flatMap(\.entries).filter {
        $0.status == .estimate && $0.low == nil && $0.line != .payment
      }.map(\.line))
    let lines = Bridge.Line.allCases.filter(found.contains).map { "`\($0.name)`" }
    guard !lines.isEmpty else { return nil }
    return "Estimates whose error is not known: \(lines.joined(separator: ", "))."
  }
}

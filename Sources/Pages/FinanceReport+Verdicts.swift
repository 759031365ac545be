import Counting
import Rendering
import Settlement
import Storage
package import SubscriptionModel
package import Tables
import UserTables

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

  /// Returns the bridges that could not be verified, as one line for standard error per period.
  ///
  /// - Parameter asked: The only requested period, if there is just one.
  /// - Returns: The lines that affect the exit code, and the lines about the newest period, for which Apple has
  ///   not made all reports yet.
  package func unverified(asked: FiscalPeriod? = nil) -> (errors: [String], notes: [String]) {
    let open = shownVerdicts.filter { $0.verdict == .notVerified }
    let isNote = { (verdict: BridgeVerdict) in
      verdict.isNewest && verdict.bridge.period != asked
    }
    return (lines(open.filter { !isNote($0) }), lines(open.filter(isNote)))
  }

  /// Returns one line for each period: its bridges, and the files missing for them.
  private func lines(_ verdicts: [BridgeVerdict]) -> [String] {
    Dictionary(grouping: verdicts, by: \.bridge.period).sorted { $0.key < $1.key }
      .map { period, found in
        let gaps = found.flatMap(\.reasons).map { reason in
          reason.missing.map { "no \($0)" } ?? reason.text
        }
        let bridges = found.map { place($0.bridge) }.listed()
        return
          "reconcile \(period): not verified: \(bridges): \(gaps.unique.listed()) [not-verified]"
      }
  }

  func place(_ bridge: Bridge) -> String { "\(bridge.region) \(names.text(bridge.currency))" }

  // MARK: Pages

  /// Returns the verdict of a period: the worst of its bridges.
  func verdict(of period: FiscalPeriod) -> Verdict {
    verdicts(of: period).map(\.verdict).min() ?? .notVerified
  }

  /// Returns the first line of a period's page: the verdicts, the widest range, and what to download.
  func headline(_ period: FiscalPeriod) -> String {
    let own = verdicts(of: period)
    var sentences = places(own).map { verdict, places in
      "**\(verdict.rawValue.capitalizedFirst):** \(MarkdownText.escaped(places))."
    }
    sentences.append(widestRange(own.map(\.bridge)))
    if let downloads = downloads(own) { sentences.append(downloads) }
    return sentences.joined(separator: " ")
  }

  /// The lines that `check` prints about unreconciled periods: the verdicts, and what to download.
  ///
  /// The newest period is left out if it lacks only reports that Apple has not made yet.
  package var advice: [String] {
    periods.compactMap { period in
      let own = verdicts(of: period)
      guard own.contains(where: { $0.verdict != .reconciled && !$0.isNewest }) else { return nil }
      let places = places(own).map { "\($0.rawValue): \($1)" }.joined(separator: "; ")
      return (["settlement \(period): \(places)."] + [downloads(own)].compactMap(\.self))
        .joined(separator: " ")
    }
  }

  /// Returns the verdicts, worst first, each with its bridges: `all`, or `US USD, EU EUR and 2 more`.
  private func places(_ verdicts: [BridgeVerdict]) -> [(verdict: Verdict, places: String)] {
    let groups = Dictionary(grouping: verdicts, by: \.verdict).sorted { $0.key < $1.key }
    return groups.map { verdict, found in
      (verdict, groups.count == 1 ? "all" : found.map { place($0.bridge) }.listed())
    }
  }

  /// Returns the sentence `To download: …`; `nil` when nothing is missing.
  func downloads(_ verdicts: [BridgeVerdict]) -> String? {
    let items = verdicts.flatMap(\.reasons).compactMap(\.download).unique
    return items.isEmpty ? nil : "To download: \(items.joined(separator: "; "))."
  }

  private func widestRange(_ bridges: [Bridge]) -> String {
    var widest: (width: Int128, text: String)?
    for bridge in bridges {
      for entry in bridge.entries {
        guard let low = entry.low, let high = entry.high, high - low > widest?.width ?? 0 else {
          continue
        }
        let currency = names.text(bridge.currency)
        let range = [low, high].map { NumberStyle.amount(milliunits: $0, currency: currency) }
          .joined(separator: " to ")
        let cause = entry.line == .shareDifference ? " (\(entry.cause))" : ""
        let left = entry.line == .unexplainedSales ? " (\(Bridge.outsideRange))" : ""
        widest = (high - low, "`\(entry.line.name)`\(cause) of \(place(bridge)), \(range)\(left)")
      }
    }
    let open = linesWithoutRange(bridges)
    guard let widest else { return open ?? "No amount has a range." }
    return (["The widest range is that of \(widest.text)."] + [open].compactMap(\.self))
      .joined(separator: " ")
  }

  /// Returns a sentence on estimates without a known range; `nil` without any.
  private func linesWithoutRange(_ bridges: [Bridge]) -> String? {
    let found = Set(
      bridges.flatMap(\.entries).filter { $0.status == .estimate && $0.low == nil }.map(\.line))
    let names = Bridge.Line.allCases.filter(found.contains).map { "`\($0.name)`" }
    guard !names.isEmpty else { return nil }
    let verb = names.count == 1 ? "is an estimate" : "are estimates"
    return "\(names.joined(separator: ", ")) \(verb) without a known range."
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

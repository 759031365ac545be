import Metrics
import SubscriptionModel

/// Unreconciled bridges and their pages, in words shared by both parts of `summary.md`.
extension FinanceReport {
  /// The number of periods in a list; more are in `verdicts.csv`.
  private static let shownPeriods = 10

  /// One line for bridges that differ, and one for bridges that could not be compared.
  ///
  /// The newest period is left out if it lacks only reports that Apple has not made yet.
  var problems: [String] {
    [Verdict.unreconciled, .notVerified].compactMap { verdict in
      let found = verdicts.filter { $0.verdict == verdict && !$0.isNewest }
      guard !found.isEmpty else { return nil }
      let word = verdict == .unreconciled ? "Unreconciled" : "Not verified"
      let total = counted(verdicts.count, "bridge")
      return
        (["**\(word):** \(found.count) of \(total): \(pageList(found))."]
        + [downloads(found)].compactMap(\.self)).joined(separator: " ")
    }
  }

  /// A line about bridges that wait for a report that Apple has not made yet; `nil` without any.
  var waiting: String? {
    guard let newest = verdicts.last(where: \.isNewest) else { return nil }
    let found = verdicts.filter(\.isNewest)
    let download = newest.reasons.compactMap(\.download).joined(separator: "; ")
    return "Not verified yet: \(counted(found.count, "bridge")) of \(newest.bridge.period); "
      + "they need \(download)."
  }

  /// Returns periods with their bridges and pages, such as ``FY2026-P06 US USD (`reconcile-FY2026-P06.md`)``.
  private func pageList(_ found: [BridgeVerdict]) -> String {
    let groups = Dictionary(grouping: found, by: \.bridge.period).sorted { $0.key < $1.key }
    let items = groups.prefix(Self.shownPeriods).map { period, found in
      let isAll = found.count == verdicts(period...period).count
      let places = isAll ? "(all" : "\(Self.list(found.map { place($0.bridge) })) ("
      return "\(period) \(places)\(isAll ? ", " : "")`\(Self.pageName(period))`)"
    }
    let rest = groups.count - items.count
    let more = rest > 0 ? " and \(counted(rest, "period")) more (`verdicts.csv`)" : ""
    return items.joined(separator: "; ") + more
  }
}

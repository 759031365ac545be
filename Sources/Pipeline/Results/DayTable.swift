import AppStoreReports
public import Metrics
public import SubscriptionModel

/// Which days have a report: METRICS.md section 8.
public struct DayCoverage: Sendable {
  /// Whether a day has a report.
  public enum State: String, Sendable {
    /// A file with rows.
    case present
    /// A file with a header and no rows.
    case empty
    /// No file.
    case missing
  }

  /// A day of one kind of report.
  public struct Entry: Sendable {
    /// The kind, as health.csv prints it.
    public let kind: String
    /// The vendor of the file, blank for a missing day.
    public let vendor: String
    /// The day.
    public let day: Day
    /// Whether there is a report.
    public let state: State
    /// The file, blank for a missing day.
    public let file: String
  }

  /// Every day of every kind, sorted by kind, vendor and day.
  public let entries: [Entry]

  init(_ result: RunResult) {
    var entries: [Entry] = []
    for kind in [ReportKind.sales, .subscriber, .subscription, .subscriptionEvent] {
      entries += Self.entries(of: kind, result)
    }
    self.entries = entries.sorted {
      ($0.kind, $0.vendor, $0.day, $0.file) < ($1.kind, $1.vendor, $1.day, $1.file)
    }
  }

  private static func entries(of kind: ReportKind, _ result: RunResult) -> [Entry] {
    let used = result.files.filter {
      $0.kind == kind && ($0.isUsed || $0.isDuplicate || $0.isAfterAsOf)
    }
    // Files of days after as-of have no entry, but show that the days before them should be there.
    let days = used.compactMap { file in file.day.map { (file, $0) } }
    guard let first = days.map(\.1).min(), let last = days.map(\.1).max() else { return [] }
    let asOf = min(last, result.plan.asOf ?? last)
    var entries = days.filter { $0.0.isUsed && $0.1 <= asOf }.map { file, day in
      Entry(
        kind: kind.rawValue, vendor: file.vendor, day: day,
        state: file.rows.read == 0 ? .empty : .present, file: file.file.relativePath)
    }
    let covered = Set(days.map(\.1))
    let isDaily = days.allSatisfy { $0.0.period == $0.1.description }
    guard isDaily, first <= asOf else { return entries }
    let vendors = Set(used.map(\.vendor))
    let vendor = vendors.count == 1 ? vendors.first ?? "" : ""
    for number in first.number...asOf.number where !covered.contains(Day(number: number)) {
      entries.append(
        Entry(
          kind: kind.rawValue, vendor: vendor, day: Day(number: number), state: .missing, file: ""))
    }
    return entries
  }

  /// How many days of a kind are in a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - kind: The kind, as health.csv prints it; `nil` for all.
  /// - Returns: The number of distinct days.
  public func count(_ state: State, kind: String? = nil) -> Int {
    Set(
      entries.filter { $0.state == state && (kind == nil || $0.kind == kind) }
        .map { "\($0.kind) \($0.day)" }
    ).count
  }

  /// `days.csv`.
  public var table: ReportTable {
    ReportTable(
      name: "days", dimensions: [],
      columns: ["kind", "vendor", "day", "state", "file"].map { ReportTable.Column($0, .text) },
      rows: entries.map {
        [
          .text($0.kind), .text($0.vendor), .text($0.day.description), .text($0.state.rawValue),
          .text($0.file),
        ]
      })
  }
}

extension RunResult {
  /// Which days have a report.
  public var days: DayCoverage { DayCoverage(self) }
}

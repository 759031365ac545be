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
    /// The vendor whose report it is; blank where no name has one.
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
    // Files of days after as-of have no entry, but show that the days before them should be there.
    let found = VendorDays(kind, result.files, includesLater: true)
    let days = found.items.map(\.day)
    guard let first = days.min(), let last = days.max() else { return [] }
    let asOf = min(last, result.plan.asOf ?? last)
    // A vendor's report that is a copy of another vendor's, such as one without rows, is that vendor's day too.
    var entries = found.items.compactMap { item -> Entry? in
      let file = result.files[item.file]
      guard !item.isCopy, !file.isAfterAsOf, item.day <= asOf else { return nil }
      return Entry(
        kind: kind.rawValue, vendor: item.vendor, day: item.day,
        state: file.rows.read == 0 ? .empty : .present, file: file.file.relativePath)
    }
    let isDaily = found.items.allSatisfy { result.files[$0.file].period == $0.day.description }
    guard isDaily, first <= asOf else { return entries }
    for (vendor, missing) in found.missing(until: asOf) {
      entries += missing.map {
        Entry(kind: kind.rawValue, vendor: vendor, day: $0, state: .missing, file: "")
      }
    }
    return entries
  }

  /// Whether reports of a kind are of several vendors, so that a day says little without its vendor.
  ///
  /// - Parameter kind: The kind, as health.csv prints it.
  /// - Returns: Whether there are two vendors or more.
  public func hasSeveralVendors(_ kind: String) -> Bool {
    Set(entries.filter { $0.kind == kind && !$0.vendor.isEmpty }.map(\.vendor)).count > 1
  }

  /// The vendor of a day in words, where there are several; blank otherwise.
  func vendorText(_ entry: Entry) -> String {
    hasSeveralVendors(entry.kind)
      ? " of vendor \(entry.vendor.isEmpty ? "unknown" : entry.vendor)" : ""
  }

  /// Days of one kind, and of one vendor where there are several.
  struct Group {
    /// The kind, and the vendor where it says something.
    var kind: String
    var vendor: String
    /// The days, in order, each once.
    var days: [Day]

    /// The kind and the vendor in words.
    var name: String { vendor.isEmpty ? kind : "\(kind) of vendor \(vendor)" }
  }

  /// Returns the days in a state by kind, and by vendor where there are several.
  func groups(in state: State) -> [Group] {
    var groups: [Group] = []
    let own = entries.filter { $0.state == state }
    for kind in Set(own.map(\.kind)).sorted() {
      let ofKind = own.filter { $0.kind == kind }
      let vendors = hasSeveralVendors(kind) ? Set(ofKind.map(\.vendor)).sorted() : [""]
      groups += vendors.map { vendor in
        let days = ofKind.filter { vendors.count == 1 && vendor.isEmpty || $0.vendor == vendor }
        return Group(kind: kind, vendor: vendor, days: Set(days.map(\.day)).sorted())
      }
    }
    return groups
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
  public var table: ReportTable { longTable.whole }

  /// `days.csv`.
  var longTable: LongTable {
    LongTable(
      name: "days",
      columns: ["kind", "vendor", "day", "state", "file"].map { ReportTable.Column($0, .text) },
      count: entries.count
    ) { [entries] row in
      let entry = entries[row]
      return [
        .text(entry.kind), .text(entry.vendor), .text(entry.day.description),
        .text(entry.state.rawValue), .text(entry.file),
      ]
    }
  }
}

extension RunResult {
  /// Which days have a report.
  public var days: DayCoverage { DayCoverage(self) }
}

import AppStoreReports
import SubscriptionModel

/// On which days vendors have a report of one kind: METRICS.md section 8.
///
/// Days are per vendor: of two vendors' reports both must be there. A file whose name has no vendor is the report of
/// the only vendor; of several it is the one's whose report of that day it replaces, and else nobody's.
struct VendorDays {
  /// A file that counts, or is a copy of one that does.
  struct Item {
    /// The file's place among all files.
    var file: Int
    /// Whose report it is; blank when no name says so.
    var vendor: String
    var day: Day
    /// Whether it is a copy of a file of the same vendor.
    var isCopy: Bool
  }

  /// The files, in path order.
  let items: [Item]
  /// The days on which each vendor has a report; the vendor is blank where no name has one.
  private let days: [String: Set<Day>]

  /// Finds the days of a kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of report.
  ///   - files: All files of the run.
  ///   - includesLater: Whether files of days after as-of count too.
  init(_ kind: ReportKind, _ files: [FileReport], includesLater: Bool = false) {
    var owners = files.map(\.vendor)
    for file in files {
      guard let winner = file.replacement?.file, owners[winner].isEmpty else { continue }
      owners[winner] = file.vendor
    }
    var items: [Item] = []
    for (index, file) in files.enumerated() where file.kind == kind {
      guard let day = file.day,
        file.isUsed || file.isDuplicate || (includesLater && file.isAfterAsOf)
      else { continue }
      let original = file.isDuplicate ? file.replacement?.file : nil
      let isCopy = original.map { owners[index].isEmpty || owners[index] == owners[$0] } ?? false
      items.append(Item(file: index, vendor: owners[index], day: day, isCopy: isCopy))
    }
    self.items = items
    let vendors = Set(items.map(\.vendor)).subtracting([""])
    days = items.reduce(into: [:]) { days, item in
      if vendors.count < 2 {
        days[vendors.first ?? "", default: []].insert(item.day)
      } else if !item.vendor.isEmpty {
        days[item.vendor, default: []].insert(item.day)
      }
    }
  }

  /// Returns the days without a report, by vendor: from the vendor's first day to as-of.
  func missing(until asOf: Day) -> [String: [Day]] {
    days.mapValues { present in
      guard let first = present.min(), first <= asOf else { return [] }
      return (first.number...asOf.number).map(Day.init(number:)).filter { !present.contains($0) }
    }
  }

  /// Returns the days on which no vendor's report is missing, and any has one.
  func complete(until asOf: Day) -> Set<Day> {
    Set(items.map(\.day)).subtracting(missing(until: asOf).values.flatMap(\.self))
  }
}

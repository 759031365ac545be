package import AppStoreReports
package import SubscriptionModel

/// The days on which vendors have a report of one kind: METRICS.md section 8.
///
/// A day is complete only if all vendors have a report. A file without a vendor in its name belongs to the only
/// vendor; if there are several, to the vendor whose report of that day it replaces, or else to none.
package struct VendorDays {
  /// A file that counts, or a copy of one that does.
  package struct Item {
    /// The file's index among all files.
    package var file: Int
    /// The vendor of the report; blank when unknown.
    package var vendor: String
    package var day: Day
    /// Whether it is a copy of a file of the same vendor.
    package var isCopy: Bool
  }

  /// The files, in path order.
  package let items: [Item]
  /// The days on which each vendor has a report; the vendor is blank when no name has one.
  private let days: [String: Set<Day>]

  /// Finds the days of a kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of report.
  ///   - files: All files of the run.
  ///   - includesLater: Whether to include files of days after as-of.
  package init(_ kind: ReportKind, _ files: [FileReport], includesLater: Bool = false) {
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
  package func missing(until asOf: Day) -> [String: [Day]] {
    days.mapValues { present in
      guard let first = present.min(), first <= asOf else { return [] }
      return (first.number...asOf.number).map(Day.init(number:)).filter { !present.contains($0) }
    }
  }

  /// Returns the days on which a report exists and no vendor's report is missing.
  func complete(until asOf: Day) -> Set<Day> {
    Set(items.map(\.day)).subtracting(missing(until: asOf).values.flatMap(\.self))
  }
}

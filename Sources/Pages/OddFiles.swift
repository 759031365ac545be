import AppStoreReports
import Files
package import Pipeline
import Rendering
import Scanning
import Storage

/// Notes on files that do not fit their names; notes do not change the exit code.
extension RunResult {
  /// A line for each pair of days with the same bytes, and lines for names that say other days than the rows.
  package var oddFileNotes: [String] {
    sameBytesNotes + misnamedSalesNotes + downloadDayNotes + receiptLosses
  }

  /// The values of receipts that are in no number: a line for each dump, or one for dumps with the same faults.
  package var receiptLosses: [String] {
    var places: [ExactText: Int] = [:]
    var lines: [(text: String, name: String, others: Int)] = []
    for file in files where file.isUsed {
      for text in file.losses {
        if let place = places[text] {
          lines[place].others += 1
        } else {
          places[text] = lines.count
          lines.append((text, file.file.relativePath, 0))
        }
      }
    }
    return lines.map { line in
      let others = line.others > 0 ? " and \(counted(line.others, "other file"))" : ""
      return "receipts: \(line.name)\(others): \(line.text)"
    }
  }

  private var sameBytesNotes: [String] {
    files.filter(isOfOtherDay).compactMap { copy in
      guard let original = copy.replacement.map({ files[$0.file] }), let day = copy.day else {
        return nil
      }
      let other = original.day.map { " and \($0)" } ?? ""
      return
        "same-bytes: \(copy.file.relativePath) holds the same bytes as \(original.file.relativePath), the report of \(original.period), and is left out; one of them was written over: download \(copy.kind.rawValue) \(day)\(other) again"
    }
  }

  private var misnamedSalesNotes: [String] {
    let misnamed = files.filter { $0.kind == .sales && $0.otherPeriodInName != nil }
    guard let first = misnamed.first else { return [] }
    let are = misnamed.count == 1 ? "says" : "say"
    return [
      "note: the \(misnamed.count == 1 ? "name" : "names") of \(counted(misnamed.count, "SALES report")) \(are) other days than the rows, which decide (\(first.file.relativePath) is of \(first.period))"
    ]
  }

  /// One line for each vendor and number of days.
  private var downloadDayNotes: [String] {
    let daily: Set<ReportKind> = [.subscriber, .subscriptionEvent, .subscription]
    let late = files.filter { daily.contains($0.kind) && $0.otherPeriodInName != nil }
    let vendors = Set(files.filter { daily.contains($0.kind) }.map(\.vendor)).subtracting([""])
    let groups = Dictionary(grouping: late) { "\($0.vendor) \($0.daysInNameLate ?? 0)" }
    return groups.sorted { $0.key.precedes($1.key) }.compactMap { _, files in
      guard let first = files.first, let days = first.daysInNameLate else { return nil }
      let kinds = Set(files.map(\.kind.rawValue)).sorted().inWords()
      let ofVendor =
        vendors.count > 1 ? " of vendor \(first.vendor.isEmpty ? "unknown" : first.vendor)" : ""
      return
        "note: the names of \(kinds) files\(ofVendor) say the day of the download; \(counted(days, "day")) \(days == 1 ? "is" : "are") taken off (\(counted(files.count, "file")), such as \(first.file.relativePath): \(first.period))"
    }
  }
}

import AppStoreReports
import Scanning
import SubscriptionModel

/// SUBSCRIBER and SUBSCRIPTION_EVENT files of one vendor with the same bytes under different days are one report: METRICS.md
/// section 8.
///
/// One was saved under a wrong name, or Apple's answer for one day was kept as another's. Snapshots are no such files,
/// because their rows have no day and may stay the same; the rows of SALES say which report it is.
package enum SameBytes {
  private struct Rows: Hashable {
    var kind: ReportKind
    var vendor: String
    var rowCount: Int
    var day: Day
  }

  private struct Content: Hashable {
    var kind: ReportKind
    var vendor: String
    var text: [UInt8]
  }

  /// Returns the files with rows whose text a run may compare with that of a file of another day.
  ///
  /// `known` are those that an earlier run has read, with their rows by day. The result has those of them with as
  /// many rows of the same day, and those as long as a file that is not known.
  package static func compared(_ files: [RecognizedFile], known: [Int: EventDays?]) -> Set<Int> {
    var alike: [Rows: [Int]] = [:]
    var lengths: [ReportKind: Set<UInt32>] = [:]
    for (index, file) in files.enumerated()
    where [.subscriber, .subscriptionEvent].contains(file.kind) {
      if let rows = known[index] {
        guard let rows else { continue }
        let key = Rows(kind: file.kind, vendor: "", rowCount: rows.rowCount, day: rows.mostFrequent)
        alike[key, default: []].append(index)
      } else if let length = FileRecognizer.textLength(of: file.file) {
        lengths[file.kind, default: []].insert(length)
      }
    }
    let ofKnown = alike.values.filter { $0.count > 1 }.joined()
    let asLong = alike.values.joined().filter { index in
      guard let lengths = lengths[files[index].kind],
        let length = FileRecognizer.textLength(of: files[index].file)
      else { return false }
      return lengths.contains(length)
    }
    return Set(ofKnown).union(asLong)
  }

  /// Finds the hashes of files with equally many rows of the same day: they may have the same bytes.
  ///
  /// Returns whether files of different days have.
  static func find(_ files: inout [RecognizedFile]) -> Bool {
    let owners = EventDays.owners(files)
    var alike: [Rows: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isToBeUsed {
      guard let rows = file.eventDays, file.day != nil else { continue }
      let key = Rows(
        kind: file.kind, vendor: owners[index], rowCount: rows.rowCount, day: rows.mostFrequent)
      alike[key, default: []].append(index)
    }
    for indices in alike.values where Set(indices.map { files[$0].day }).count > 1 {
      for index in indices where files[index].textHash == nil {
        files[index].textHash = try? files[index].hashedText().get()
      }
    }
    return !groups(files).isEmpty
  }

  /// Ignores all but one of the files with the same bytes under different days: the one whose day is nearest to that of
  /// most of its rows counts, of two the earlier.
  static func ignore(_ files: inout [RecognizedFile]) {
    for indices in groups(files) {
      let best = indices.min { rank(files[$0]) < rank(files[$1]) }
      guard let best else { continue }
      for index in indices where files[index].day != files[best].day {
        files[index].role = .ignoreFor(best, .duplicateFile)
      }
    }
  }

  /// The days between the report and most of its rows, and its day.
  private static func rank(_ file: RecognizedFile) -> (Int, Day) {
    let (day, rows) = (file.day ?? .last, file.eventDays?.mostFrequent ?? .last)
    return (abs(day - rows), day)
  }

  /// Returns the files with the same bytes and several days.
  private static func groups(_ files: [RecognizedFile]) -> [[Int]] {
    guard files.contains(where: { $0.eventDays != nil }) else { return [] }
    let owners = EventDays.owners(files)
    var groups: [Content: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isToBeUsed && file.eventDays != nil {
      guard file.day != nil, let text = file.textHash else { continue }
      groups[Content(kind: file.kind, vendor: owners[index], text: text), default: []]
        .append(index)
    }
    return groups.values.filter { group in Set(group.map { files[$0].day }).count > 1 }
  }
}

import AppStoreReports
import Files

/// Finds daily reports with the same bytes but different days.
///
/// One was saved under a wrong name, or Apple's answer for one day was kept as another's.
enum SameBytes {
  /// Adds the note to both reports; skips snapshots, whose rows have no day and may stay the same.
  static func note(_ reports: inout [FileReport]) {
    var first: [[String]: Int] = [:]
    for index in reports.indices {
      let report = reports[index]
      guard [.subscriber, .subscriptionEvent, .sales].contains(report.kind), report.rows.read > 0,
        report.problem == nil, !report.sha256.isEmpty, report.day != nil
      else { continue }
      let content = [report.kind.rawValue, report.sha256]
      guard let other = first[content] else {
        first[content] = index
        continue
      }
      guard reports[other].day != report.day else { continue }
      let paths = [other, index].map { reports[$0].file.relativePath }
      let remark =
        "same-bytes: \(paths[0]) and \(paths[1]) hold the same bytes; one lies under another day's name"
      reports[other].remarks.append(remark)
      reports[index].remarks.append(remark)
      reports[other].sameBytes.append(remark)
    }
  }
}

import AppStoreReports
import Files
import Pipeline
import Rendering
import Scanning
import SubscriptionModel

/// Finds the rows of a subscriber that do not count, each with the reason.
///
/// A file is read again if it is not used, or has a row that was not used.
struct RowsLeftOut {
  /// A row that does not count.
  struct Row {
    /// The row's place in the run, as ``SubscriptionModel/ChargeRecord/order`` has it.
    let order: UInt64
    let line: Int
    /// The day of the row, else that of its file.
    let day: Day?
    let because: String
  }

  let files: [FileReport]
  let charges: KeptCharges

  /// Reads the rows that do not count, in the order of the files.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file without a problem of its own that cannot be read again.
  func rows(
    of subscriber: UInt64, except counted: Set<UInt64>
  ) throws(KeptCharges.LineError) -> [Row] {
    var found: [Row] = []
    for (index, file) in files.enumerated() where file.kind == .subscriber {
      guard charges.files[index].header != nil, !file.isUsed || file.rows.used < file.rows.read
      else { continue }
      do throws(KeptCharges.LineError) {
        for row in try charges.rows(of: subscriber, inFile: index)
        where !counted.contains(row.order) {
          found.append(
            Row(
              order: row.order, line: row.line, day: day(row) ?? file.day,
              because: reason(row, file)))
        }
      } catch {
        // The run has reported the damaged file already. Its rows are not listed.
        if file.problem == nil { throw error }
      }
    }
    return found
  }

  private func day(_ row: KeptCharges.SubscriberRow) -> Day? {
    if case .row(let record) = row.outcome { Day(number: record.day) } else { nil }
  }

  private func reason(_ row: KeptCharges.SubscriberRow, _ file: FileReport) -> String {
    guard file.isUsed else { return reason(file) }
    switch row.outcome {
    case .row: return "the row is of a day \(IgnoredReason.afterAsOf.rawValue)"
    case .ignored(.zeroQuantity): return "the row has 0 units and is no refund"
    case .ignored(let reason): return reason.rawValue
    case .rejected(let reject): return "the row is rejected: \(file.message(reject))"
    }
  }

  /// Returns why no row of a file counts.
  private func reason(_ file: FileReport) -> String {
    if let replacement = file.replacement {
      let other = files[replacement.file].file.relativePath
      return file.isDuplicate
        ? "the file has the same bytes as \(other), which counts"
        : "\(other) is a later version of the file and counts instead"
    }
    if file.isAfterAsOf { return "the file is of a day \(IgnoredReason.afterAsOf.rawValue)" }
    if let problem = file.problem { return "the file cannot be used: \(problem.message)" }
    let reasons = file.rows.ignored.keys.map(\.rawValue).sorted()
    return "the file does not count: \(reasons.joined(separator: ", "))"
  }
}

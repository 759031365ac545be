import SubreportTestSupport
import SubscriptionModel

extension ReportText {
  /// Returns the SUBSCRIBER reports of some days by their names, those of days without a row too.
  ///
  /// - Parameters:
  ///   - rows: The rows, each with its `Event Date`.
  ///   - first: The first day.
  ///   - last: The last day.
  /// - Returns: The text of each report.
  package static func daily(
    _ rows: [[String: String]], from first: String, to last: String
  ) -> [String: [UInt8]] {
    let rowsByDay = Dictionary(grouping: rows) { $0["Event Date"] ?? "" }
    let days = (day(first).number...day(last).number).map { Day(number: $0).description }
    let files = days.map { name -> (String, [UInt8]) in
      var report = subscriber
      report.rows = rowsByDay[name] ?? []
      let digits = name.replacing("-", with: "")
      return ("Subscriber_80012345_\(digits)_V1_3.txt", report.bytes)
    }
    return Dictionary(uniqueKeysWithValues: files)
  }
}

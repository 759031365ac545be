import AppStoreReports
package import Pipeline
import Rendering
import Storage
import SubscriptionModel

extension RunResult {
  /// The lines of `check` about `[accept]`: the faults that are there, and entries that are not needed, or no longer.
  package var acceptedLines: [String] {
    let days = days
    return plan.accepted.entries.flatMap { entry -> [String] in
      let (found, gone) = entry.fault == .missing ? missing(entry, days) : rejected(entry)
      let name = "\(entry.fault.rawValue): \(entry.text)"
      return [
        found.map { "accepted: \(name)\($0) (\(entry.place))" },
        gone.map { "accepted, but not \(name)\($0); remove it from [accept] (\(entry.place))" },
      ].compactMap(\.self)
    }
  }

  /// Returns how many days of an entry are missing, and which have a report; `nil` for none.
  private func missing(
    _ entry: AcceptedFaults.Entry, _ all: DayCoverage
  ) -> (found: String?, gone: String?) {
    let own = all.entries.filter { entry.covers($0.kind, $0.day, of: $0.vendor) }
    let missing = Set(own.filter { $0.state == .missing }.map(\.day))
    let waiting = Set(own.filter { $0.state == .pending }.map(\.day))
    let (first, end) = (entry.days.lowerBound, entry.days.upperBound)
    // Days after the data may be missing one day.
    let last = min(end, all.entries.map(\.day).max() ?? .first)
    let days = first <= last ? (first.number...last.number).map(Day.init(number:)) : []
    let gone = days.filter { !missing.contains($0) && !waiting.contains($0) }
    return (
      missing.isEmpty ? nil : first == end ? "" : ": \(counted(missing.count, "day"))",
      gone.isEmpty
        ? nil : missing.isEmpty ? "" : ": of these \(gone.map(\.description).listed(atMost: 5))"
    )
  }

  /// Returns how many rows of the reports of an entry are rejected; `gone` if none is.
  private func rejected(_ entry: AcceptedFaults.Entry) -> (found: String?, gone: String?) {
    let own = files.filter { entry.covers($0.kind.rawValue, $0.day, of: $0.vendor) }
    let rows = own.map(\.rows.rejected).reduce(0, +)
    return rows > 0 ? (": \(counted(rows, "row"))", nil) : (nil, "")
  }

  /// The files whose rejected rows are not accepted.
  var unacceptedFiles: [FileReport] {
    guard !plan.accepted.entries.isEmpty else { return files }
    return files.filter {
      !plan.accepted.accepts(.rejected, $0.kind.rawValue, $0.day, of: $0.vendor)
    }
  }
}

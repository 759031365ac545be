package import AppStoreReports
import Scanning
package import SubscriptionModel

/// The faults of the input that the user knows: `[accept]` in `subreport.toml`.
///
/// They change messages and exit codes, and never a number, a state or a file of `report`.
package struct AcceptedFaults: Sendable {
  /// What can be accepted; the raw values are the keys of `[accept]`.
  package enum Fault: String, CaseIterable, Sendable { case missing, rejected }

  /// One kind of report on some days.
  package struct Entry: Sendable {
    package let fault: Fault
    package let kind: ReportKind
    package let days: ClosedRange<Day>
    /// The vendor number; blank for all vendors.
    package let vendor: String
    package let text: String
    /// The config file and the line, for messages.
    package let place: String

    /// Returns whether the entry is about the reports of a day.
    package func covers(_ kind: String, _ day: Day?, of vendor: String) -> Bool {
      self.kind.rawValue == kind && day.map(days.contains) == true
        && (self.vendor.isEmpty || self.vendor == vendor)
    }
  }

  /// The entries, in the order of the file.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Returns whether a fault of the reports of a kind, as health.csv prints it, and a day is accepted.
  ///
  /// The day is `nil` for a report without one, the vendor number blank.
  package func accepts(_ fault: Fault, _ kind: String, _ day: Day?, of vendor: String) -> Bool {
    entries.contains { $0.fault == fault && $0.covers(kind, day, of: vendor) }
  }

  /// Returns whether all missing days after the last report of a kind are accepted.
  package func accepts(_ end: FeedEnd) -> Bool {
    end.missing.allSatisfy { accepts(.missing, end.kind.rawValue, $0, of: end.vendor) }
  }

  /// An entry that cannot be understood, with the form that can.
  package struct Failure: Error { package let message: String }

  /// Adds an entry such as `subscriber 2026-02-26`, `sales 2026-02-01..2026-02-03` or, of one of several vendors,
  /// `sales 2026-02-01 of vendor 80012345`, as `check` prints it.
  ///
  /// `place` is the config file and the line.
  package mutating func add(_ fault: Fault, _ text: String, at place: String) throws(Failure) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2 || words.count == 5 && words[2...3] == ["of", "vendor"] else {
      throw Failure(
        message:
          "\(quotedExcerpt(text)): write a kind and a day or days, such as subscriber 2026-02-26 or sales 2026-02-01..2026-02-03; of one of several vendors: sales 2026-02-01 of vendor 80012345"
      )
    }
    guard let kind = FeedEnd.kinds.first(where: { $0.rawValue == words[0] }) else {
      let advice = Nearest.advice(words[0], among: FeedEnd.kinds.map(\.rawValue))
      throw Failure(message: "no daily kind of report \(quotedExcerpt(words[0])); \(advice)")
    }
    let dots = words[1].firstRange(of: "..")
    let ends =
      dots.map { [words[1][..<$0.lowerBound], words[1][$0.upperBound...]] } ?? [words[1][...]]
    let days = ends.compactMap { Day(String($0)) }
    guard days.count == ends.count, let first = days.first, let last = days.last, first <= last
    else {
      throw Failure(
        message:
          "\(quotedExcerpt(words[1])): use a day such as 2026-02-26, or the first and the last of several: 2026-02-01..2026-02-03"
      )
    }
    entries.append(
      Entry(
        fault: fault, kind: kind, days: first...last, vendor: words.count == 5 ? words[4] : "",
        text: text, place: place))
  }
}

package import AppStoreReports
import Files
import Scanning
import Storage
package import SubscriptionModel

/// The days of archives of `fetch`: the content of their `days.csv`.
///
/// An archive knows more about a day without a file than the files do: whether Apple says that nothing was sold, or
/// has not made the report yet.
package struct FetchedDays: Sendable {
  /// The state of a day.
  package enum State: String, Sendable {
    /// There is a file.
    case present
    /// Apple says that there is nothing: an empty day.
    case none
    /// Apple has not made the report yet.
    case pending
    /// The report is late, or its requests failed.
    case missing
    /// Older than a year: no longer to be had.
    case gone
    /// Apple refuses it to this key.
    case refused
  }

  /// A day of a kind and a vendor.
  package struct Entry: Sendable {
    package let kind: ReportKind
    package let vendor: String
    package let day: Day
    package let state: State
    /// The last day on which the report may still come; `nil` where waiting makes no sense.
    package let until: Day?
    /// What Apple says about a pending day, in quotes; blank where it says that the report is not made yet.
    package let words: String

    /// The state in words, for the column `note`; blank for a present day.
    package var note: String {
      switch state {
      case .present: ""
      case .none: "Apple says none"
      case .pending:
        (words.isEmpty ? "not made yet" : "Apple says \(words)")
          + (until.map { "; wait until \($0)" } ?? "")
      case .missing: "Apple has not sent it" + (until.map { "; fetch asks until \($0)" } ?? "")
      case .gone: "no longer to be had: Apple keeps a report for a year"
      case .refused: "refused by Apple: subreport fetch doctor says why"
      }
    }
  }

  private struct Key: Hashable {
    var kind: ReportKind
    var vendor: ExactText
    var day: Day
  }

  private var entries: [Key: Entry] = [:]

  package init() {}

  /// Reads the days of archives; lines that cannot be read are no entries.
  init(_ archives: [FetchedArchive]) {
    for archive in archives {
      guard let bytes = archive.days else { continue }
      var rows = CSVScanner(ByteStream(bytes.span))
      while (try? rows.nextRow()) == true {
        let fields = rows.fields
        guard fields.count >= 7, let kind = ReportKind(rawValue: fields[0]),
          let day = Day(fields[2]), let state = State(rawValue: fields[3])
        else { continue }
        entries[Key(kind: kind, vendor: ExactText(fields[1]), day: day)] = Entry(
          kind: kind, vendor: fields[1], day: day, state: state, until: Day(fields[6]),
          words: fields.count > 7 ? fields[7] : "")
      }
    }
  }

  /// Returns the days of a kind in a state; a blank vendor stands for all.
  func days(_ state: State, _ kind: ReportKind, _ vendor: String) -> Set<Day> {
    guard !entries.isEmpty else { return [] }
    return Set(
      entries.values.lazy.filter {
        $0.state == state && $0.kind == kind && (vendor.isEmpty || $0.vendor.isSame(as: vendor))
      }.map(\.day))
  }

  /// Returns what an archive says about a day; of a blank vendor that of the only archive day.
  package func entry(_ kind: ReportKind, _ vendor: String, _ day: Day) -> Entry? {
    guard !entries.isEmpty else { return nil }
    if !vendor.isEmpty { return entries[Key(kind: kind, vendor: ExactText(vendor), day: day)] }
    return entries.values.filter { $0.kind == kind && $0.day == day }.min { $0.vendor < $1.vendor }
  }
}

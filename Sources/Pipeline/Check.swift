package import AppStoreReports
package import Counting
import SubscriptionModel
package import Tables

/// An identity that must hold, or a sum that a file prints: METRICS.md section 8.
package struct Check: Equatable, Sendable {
  /// The outcome of a check, shared with the checks of a file's sums.
  package typealias State = TrailerCheck.State

  /// The identity's name.
  package let name: String
  /// The object tested: a file, or a source and month.
  package let scope: String
  package let expected: ReportTable.Cell
  package let found: ReportTable.Cell
  package let state: State
  /// Whether it tests an input file rather than the program's own counts.
  package let isOfInput: Bool

  package var holds: Bool { state != .failed }

  /// Creates a check of an identity between counts; `scope` is the object tested.
  package init(name: String, scope: String, expected: Int, found: Int) {
    self.init(
      name: name, scope: scope, expected: .count(expected), found: .count(found),
      state: expected == found ? .ok : .failed, isOfInput: false)
  }

  /// Creates a check of an input file, unless `isOfInput` is false.
  package init(
    name: String, scope: String, expected: ReportTable.Cell, found: ReportTable.Cell,
    state: State, isOfInput: Bool = true
  ) {
    self.name = name
    self.scope = scope
    self.expected = expected
    self.found = found
    self.state = state
    self.isOfInput = isOfInput
  }
}

extension Check {
  /// Checks that the tally counts each row of SUBSCRIBER reports that `health.csv` calls used exactly once.
  ///
  /// A tally updated from an earlier run could lose a file or count it twice. The tally counts its rows whatever
  /// filters leave out. `nil` without a tally of such reports.
  package static func ofRowsCounted(_ files: [FileReport], _ sources: [SourceReport]) -> Check? {
    guard let report = sources.first(where: { $0.source == .subscribers }) else { return nil }
    let used = files.lazy.filter { $0.kind == .subscriber }.map(\.rows.used)
    return Check(
      name: "rows used = rows counted", scope: "subscribers", expected: used.reduce(0, +),
      found: report.tally.rowCount)
  }
}

package import Scanning

/// The numbers of a file's rows by outcome; they add up: METRICS.md section 8.
package struct RowCounts: Equatable, Sendable {
  /// Rows found in the file.
  package var read = 0
  /// Rows that count.
  package var used = 0
  /// Rows with an impossible value.
  package var rejected = 0
  /// Of the rejected rows, those with a date or an id that a spreadsheet has rewritten.
  package var rewritten = 0
  /// Of the rejected rows, the headers of other reports that were joined to the file.
  package var repeatedHeaders = 0
  /// Ignored rows, by reason.
  package var ignored: [IgnoredReason: Int] = [:]

  /// Creates counts of 0.
  package init() {}

  /// The number of all ignored rows.
  package var ignoredTotal: Int { ignored.values.reduce(0, +) }

  /// Whether every row read is accounted for.
  package var addUp: Bool { read == used + rejected + ignoredTotal }

  /// Counts a rejected row.
  mutating func reject(_ reject: Reject) {
    rejected += 1
    if reject.isRewritten { rewritten += 1 }
    if reject.code == .repeatedHeader { repeatedHeaders += 1 }
  }

  /// Moves some used rows to ignored, for a reason.
  package mutating func ignore(_ count: Int, _ reason: IgnoredReason) {
    guard count > 0 else { return }
    used -= count
    ignored[reason, default: 0] += count
  }

  /// Moves all rows to ignored, for one reason.
  mutating func ignoreAll(_ reason: IgnoredReason) {
    used = 0
    rejected = 0
    rewritten = 0
    repeatedHeaders = 0
    ignored = read == 0 ? [:] : [reason: read]
  }
}

import Scanning

/// What became of the rows of a file; they add up: METRICS.md section 8.
public struct RowCounts: Equatable, Sendable {
  /// Rows found in the file.
  public var read = 0
  /// Rows that are in a number.
  public var used = 0
  /// Rows that say something impossible.
  public var rejected = 0
  /// Of these the rows with a date or an id that a spreadsheet has rewritten.
  public var rewritten = 0
  /// Of these the headers of other reports that were joined to the file.
  public var repeatedHeaders = 0
  /// Rows left aside, by reason.
  public var ignored: [String: Int] = [:]

  /// Creates counts of nothing.
  public init() {}

  /// All rows left aside.
  public var ignoredTotal: Int { ignored.values.reduce(0, +) }

  /// Whether every row read is accounted for.
  public var addUp: Bool { read == used + rejected + ignoredTotal }

  /// Counts a rejected row.
  mutating func reject(_ reject: Reject) {
    rejected += 1
    if reject.isRewritten { rewritten += 1 }
    if reject.code == .repeatedHeader { repeatedHeaders += 1 }
  }

  /// Leaves some used rows aside for a reason.
  package mutating func ignore(_ count: Int, _ reason: String) {
    guard count > 0 else { return }
    used -= count
    ignored[reason, default: 0] += count
  }

  /// Leaves every used and rejected row aside for one reason.
  mutating func ignoreAll(_ reason: String) {
    used = 0
    rejected = 0
    rewritten = 0
    repeatedHeaders = 0
    ignored = read == 0 ? [:] : [reason: read]
  }
}

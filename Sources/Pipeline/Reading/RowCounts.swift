import Files
package import Scanning
import SubscriptionModel

/// The numbers of a file's rows by outcome; they add up: METRICS.md section 8.
package struct RowCounts: Equatable, Sendable {
  /// Rows found in the file.
  package var read = 0
  package var used = 0
  package var rejected = 0
  /// Of the rejected rows, those with a date or an id that a spreadsheet has rewritten.
  package var rewritten = 0
  /// Of the rejected rows, those for which the whole file is refused, such as the headers of other reports.
  package var refusing = 0
  /// Of the rejected rows, those of a table that lacks columns.
  package var lackingColumns = 0
  package var ignored: [IgnoredReason: Int] = [:]

  /// Creates counts of 0, or of rows without an outcome.
  package init(onlyRead read: Int = 0) { self.read = read }

  package var ignoredTotal: Int { ignored.values.reduce(0, +) }

  /// Whether every row read is accounted for.
  package var addUp: Bool {
    // In 128 bits: the counts of a forged cache entry may be of any size.
    ignored.values.reduce(Int128(used) + Int128(rejected)) { $0 + Int128($1) } == Int128(read)
  }

  mutating func reject(_ reject: Reject) {
    rejected += 1
    if reject.isRewritten { rewritten += 1 }
    if reject.refusesFile { refusing += 1 }
    if reject.code == .missingColumn { lackingColumns += 1 }
  }

  /// Moves some used rows to ignored, for a reason.
  package mutating func ignore(_ count: Int, _ reason: IgnoredReason) {
    guard count > 0 else { return }
    used -= count
    ignored[reason, default: 0] += count
  }

  mutating func ignoreAll(_ reason: IgnoredReason) {
    used = 0
    rejected = 0
    rewritten = 0
    refusing = 0
    lackingColumns = 0
    ignored = read == 0 ? [:] : [reason: read]
  }
}

extension RowCounts {
  /// The reason for which all rows are ignored; `nil` if some are not, or for several reasons.
  fileprivate var reasonOfAll: IgnoredReason? {
    ignored.first { $0.value == read && read > 0 }?.key
  }
}

/// What became of each row of a file, in the order of the rows: the rows behind ``RowCounts``.
package struct RowOutcomes: Sendable {
  /// A row, by the number of the line on which it begins.
  package struct Row: Sendable {
    package let line: Int
    package internal(set) var outcome: Outcome
  }

  /// What became of a row.
  package enum Outcome: Equatable, Sendable {
    case used
    case ignored(IgnoredReason)
    /// Rejected, with the index of the reject among ``rejects``.
    case rejected(Int32)
  }

  package private(set) var rows: [Row] = []
  package private(set) var rejects: [Reject] = []

  /// Notes a row, if the counts of its file have grown by one; of a rejected row takes its reject, the last one.
  mutating func note(
    line: Int, _ before: RowCounts, _ after: RowCounts, taking rejects: inout [Reject]
  ) {
    let reject = after.rejected > before.rejected ? rejects.popLast() : nil
    guard after.read > before.read else { return }
    if let reject {
      rows.append(Row(line: line, outcome: .rejected(Int32(self.rejects.count))))
      self.rejects.append(reject)
      return
    }
    let reason = after.ignored.first { $0.value > before.ignored[$0.key, default: 0] }?.key
    rows.append(Row(line: line, outcome: reason.map(Outcome.ignored) ?? .used))
  }

  /// Ignores all used rows, for a reason that showed at the end of the file.
  mutating func ignoreUsed(_ reason: IgnoredReason) {
    for place in rows.indices where rows[place].outcome == .used {
      rows[place].outcome = .ignored(reason)
    }
  }

  /// Takes over decisions made after the rows were read, such as that another file has the same rows.
  ///
  /// `reason` returns why a used row was ignored at last, given its index among all rows and among those used; `nil`
  /// for a row that stays used.
  mutating func settle(as counts: RowCounts, _ reason: (_ row: Int, _ used: Int) -> IgnoredReason?)
  {
    // The rows of a damaged dump are not counted.
    if counts.read == 0 { rows.removeAll() }
    if let reason = counts.reasonOfAll {
      for place in rows.indices { rows[place].outcome = .ignored(reason) }
      return
    }
    let isRefused = counts.ignored[.unusableFile] != nil
    var used = 0
    for place in rows.indices where rows[place].outcome == .used {
      if let reason = isRefused ? .unusableFile : reason(place, used) {
        rows[place].outcome = .ignored(reason)
      }
      used += 1
    }
  }
}

extension ReadContext {
  /// Reads a file of the run once more, with the run's own reader; returns what became of each of its rows.
  package func outcomes(
    ofFileAt index: Int, _ result: RunResult
  ) throws(KeptCharges.LineError) -> RowOutcomes {
    let before = result.files[index]
    var reader = FileReader(forReadingAgain)
    reader.outcomes = RowOutcomes()
    reader.read(index)
    guard reader.report.sha256 == before.sha256, var outcomes = reader.outcomes else {
      throw KeptCharges.LineError(path: before.file.shownPath, error: nil)
    }
    let statements = result.finance?.statements ?? []
    let statement = statements.first { $0.fileIndex == index && $0.form == .single }
    let forms = forms(result.finance ?? FinanceData())
    outcomes.settle(as: before.rows) { row, used in
      if result.repeatedRows.contains(DumpRow(file: UInt32(index), row: UInt32(row + 1))) {
        return .repeatedNotification
      }
      guard let statement, used < statement.rows.count else { return nil }
      let pair = statement.pair(statement.rows[used])
      return forms.settles(pair, of: statement) ? nil : .otherForm
    }
    return outcomes
  }
}

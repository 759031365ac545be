import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
package import Tables

extension Explanation {
  /// Explains counts of a file in `health.csv`, whose first rows are those of the files of the run, in their order.
  ///
  /// - Throws: ``QuestionError`` without such a number, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, _ health: LongTable, _ result: RunResult, _ context: ReadContext,
    _ listing: Listing = Listing()
  ) throws {
    let place = try question.place(in: health)
    guard place < result.files.count else { throw Question.withoutCounts(health.row(place)) }
    let counts = try FileCounts(place, result, context)
    var parts: [ExplanationTable.Part<ArraySlice<RowOutcomes.Row>>] = []
    var sums: [Sum] = []
    for name in question.counts {
      let (own, others) = (counts.rows(name), counts.rows(name, counted: false))
      let listed = listing.leavingOut ? others : own
      let shown = listed.prefix(listing.limit ?? listed.count)
      parts.append(
        ExplanationTable.Part(name, shown, of: listed.count) {
          listing.leavingOut ? .missing : .count(listed.count - shown.count)
        })
      let besides = Formula("besides, \(counted(others.count, "row")) of the file")
      sums.append(
        Sum(
          column: name, count: own.count, sum: Int128(own.count),
          expected: Int128(health.row(place)[name] ?? 0), measure: .count, unit: "row",
          details: counts.kinds(name, own) + (listing.leavingOut ? [besides] : [])))
    }
    let columns = ExplanationTable.columns(hasMoney: false)
    let table = ExplanationTable.table(parts, columns) { [parts] in
      counts.cells(
        question.counts[$0], listing.leavingOut ? .missing : .count(1), parts[$0].shown[$1])
    }
    self.init(ListedRows(table.table), sums, fileName: "health.csv")
  }
}

/// The rows of a file, with what became of each.
private struct FileCounts {
  private let report: FileReport
  private let outcomes: RowOutcomes
  private let asOf: Day?
  /// The path of the file that is used in place of this one.
  private let other: String

  init(_ place: Int, _ result: RunResult, _ context: ReadContext) throws {
    report = result.files[place]
    outcomes = try context.outcomes(ofFileAt: place, result)
    asOf = result.plan.asOf
    other = report.replacement.map { result.files[$0.file].file.relativePath } ?? "another file"
  }

  /// Returns the rows that a column counts, or the others.
  func rows(_ column: String, counted: Bool = true) -> [RowOutcomes.Row] {
    outcomes.rows.filter { row in
      switch (column, row.outcome) {
      case ("rows_read", _), ("rows_used", .used), ("rows_ignored", .ignored),
        ("rows_rejected", .rejected):
        counted
      default: !counted
      }
    }
  }

  func cells(
    _ column: String, _ value: ReportTable.Cell, _ row: RowOutcomes.Row
  ) -> [ReportTable.Cell] {
    ExplanationTable.row(
      [.text(column), value], fact: fact(row), because: sentence(row),
      rows: "\(report.file.relativePath):\(row.line)")
  }

  /// Compares the rows of each reason or code with those that the run counted, and lists them.
  ///
  /// Example: `other product types: 3; zero-quantity: 1`; nothing for other columns.
  func kinds(_ column: String, _ rows: [RowOutcomes.Row]) -> [Formula] {
    guard column == "rows_ignored" || column == "rows_rejected" else { return [] }
    let found: [String: Int] = rows.reduce(into: [:]) { kinds, row in
      switch row.outcome {
      case .used: break
      case .ignored(let reason): kinds[reason.rawValue, default: 0] += 1
      case .rejected(let number):
        kinds[outcomes.rejects[Int(number)].code.rawValue, default: 0] += 1
      }
    }
    let ignored = report.rows.ignored.map { ($0.key.rawValue, $0.value) }
    let expected = column == "rows_ignored" ? Dictionary(uniqueKeysWithValues: ignored) : codes
    if let expected, expected.filter({ $0.value != 0 }) != found {
      return [
        Formula("\(Self.words(found)), but the run counted \(Self.words(expected))", holds: false)
      ]
    }
    return found.isEmpty ? [] : [Formula(Self.words(found))]
  }

  /// The number of rejects of each code; `nil` if the run has not listed all.
  private var codes: [String: Int]? {
    guard report.rejects.count == report.rows.rejected else { return nil }
    return report.rejects.reduce(into: [:]) { $0[$1.code.rawValue, default: 0] += 1 }
  }

  private static func words(_ kinds: [String: Int]) -> String {
    let inOrder = kinds.sorted { $0.key.precedes($1.key) }
    return inOrder.map { "\($0.key): \(NumberStyle.grouped($0.value))" }.joined(separator: "; ")
  }
}

/// A question about `health`.
extension Question {
  /// The counts to list; without a choice those that add up to all rows read.
  var counts: [String] { chosen ?? Array(about.columns(nil).dropFirst()) }

  /// Returns the index of the asked row of `health.csv`; throws when there is no such row, or several.
  func place(in health: LongTable) throws(QuestionError) -> Int {
    let words = conditions.isEmpty ? "" : " for \(conditions.words)"
    let found = try row(
      among: Array(0..<health.count), of: about.name, words, text: { health.row($0).text($1) },
      choice: { found throws(QuestionError) in
        // --where path= cannot choose one of several rows without a path.
        if found.allSatisfy({ health.row($0).text("path").isEmpty }) {
          throw Self.withoutCounts(health.row(found[0]))
        }
        return "--where path=…, as health.csv has it"
      })
    if let found { return found }
    if health.count == 0, let first = conditions.first {
      throw unknownValue(first, of: about.name, among: [])
    }
    throw QuestionError("health has no row for \(conditions.words)")
  }

  /// Returns why a row has no counts: its note, and the next step.
  static func withoutCounts(_ row: ReportTable.NamedRow) -> QuestionError {
    let path = row.text("path")
    let owner = path.isEmpty ? "the run" : "the input \(path), which was not read"
    return QuestionError(
      "explain health: this row is about \(owner): \"\(row.text("note"))\"; it has no rows of a file to list; choose a file with --where path=…, as health.csv has it"
    )
  }
}

extension LongTable {
  /// Returns a row, for access by the names of the columns.
  func row(_ index: Int) -> ReportTable.NamedRow { part(index..<index + 1).namedRows[0] }
}

// MARK: Words

extension FileCounts {
  /// `used`, the reason as health.csv has it, or the code as rejects.csv has it.
  private func fact(_ row: RowOutcomes.Row) -> String {
    switch row.outcome {
    case .used: "used"
    case .ignored(let reason): reason.rawValue
    case .rejected(let number): outcomes.rejects[Int(number)].code.rawValue
    }
  }

  private func sentence(_ row: RowOutcomes.Row) -> String {
    switch row.outcome {
    case .used: "the row can be read, and its file is used"
    case .ignored(let reason): sentence(reason)
    case .rejected(let number): report.message(outcomes.rejects[Int(number)])
    }
  }

  private func sentence(_ reason: IgnoredReason) -> String {
    switch reason {
    case .zeroQuantity: "0 units, and no refund"
    case .otherProductTypes: "a product type that is no subscription"
    case .afterAsOf: "of a time after as-of\(asOf.map { ", \($0)" } ?? "")"
    case .otherStatus: "the status is neither 0 nor 21006, so the receipt does not count"
    case .errorBody: "an error of the App Store Server API"
    case .nothingInIt: "no transaction and no renewal info in it"
    case .appTransaction: "signed data about the app and not about a purchase"
    case .otherStore: "a purchase in another store"
    case .otherRevenueCatFile: "a file of RevenueCat that is no list of transactions"
    case .otherEnvironment: "of an environment that the run does not count"
    case .notVerified: "no signature leads to a root certificate of the run"
    case .repeatedNotification: "an earlier row has the same notificationUUID"
    case .otherSource: "the run does not use reports of this source"
    case .otherVendor: "the run counts other vendors only"
    case .noVendor: "the file's name has no vendor, and the run counts some vendors only"
    case .noDate: "the file's name has no date"
    case .twoDates: "the file's name has two different dates"
    case .otherReport: "no table uses reports of this kind"
    case .yearly: "a report of a year has no month"
    case .noFiscalPeriod: "a report of a calendar month is in no fiscal period"
    case .inDailyReports: "each day of the week has a daily report"
    case .inShorterReports: "each day of the month is in a daily or weekly report"
    case .inOtherReports: "other reports have days of the week"
    case .filteredRun: "the run counts some rows only, and a settlement cannot be divided"
    case .restated: "\(other) replaces the file: it is the same report"
    case .duplicateFile: "\(other) has the same bytes and is used instead"
    case .pending: "\(other) is from after the payment of the month"
    case .otherForm: "another file of the same settlement has these rows too"
    case .unusableFile: "the file is not used\(problem)"
    case .damagedFile: "the file is damaged\(problem)"
    default: reason.rawValue
    }
  }

  /// The error of the file, after a colon.
  private var problem: String { report.problem.map { ": \($0.message)" } ?? "" }
}

import ArgumentParser
import Evidence
import SubscriptionModel
import Tables

/// The options that choose the row to explain, and how many contributions are listed.
struct ExplainOptions: ParsableArguments {
  @Option(.month) var month: String?
  @Option(.against) var against: String?

  @Option(
    name: .customLong("where"), parsing: .singleValue,
    help: ArgumentHelp(
      "The row with this value, as the table has it with --by: country=US. Repeatable.",
      valueName: "dim=value"))
  var conditions: [String] = []

  @Option(
    help: ArgumentHelp(
      "List only so many contributions of each column; all are added up.", valueName: "n"))
  var limit: Int?

  @Flag(
    name: .customLong("left-out"),
    help: "List what belongs to the row and does not count in the column, with the rule.")
  var leftOut = false

  @Option(
    help: ArgumentHelp(
      "Instead of a number: the story of one subscription, by its subscriber id or a row of it.",
      valueName: "id|file:line"))
  var subscription: String?

  func validate() throws {
    if subscription != nil {
      let others = [
        ("--month", month != nil), ("--against", against != nil), ("--where", !conditions.isEmpty),
        ("--limit", limit != nil), ("--left-out", leftOut),
      ]
      if let other = others.first(where: \.1) {
        throw ValidationError(
          "\(other.0) chooses a part of a number; leave it out with --subscription")
      }
    }
    guard limit.map({ $0 > 0 }) != false else {
      throw ValidationError("--limit: use a whole number of at least 1")
    }
  }

  /// Refuses options that choose nothing for the question.
  func refuseOptions(of question: Question) throws(UsageError) {
    if let against {
      throw UsageError(
        "--against \(against): \(question.table.rawValue) has numbers of one month; drivers compares two"
      )
    }
    if question.table == .retention, let month {
      throw UsageError("--month \(month): retention has no months; choose a row with --where k=1")
    }
    if leftOut, question.table == .commitments || question.source != .subscribers {
      throw UsageError(
        "--left-out lists what numbers of Subscriber reports leave out, but not those of commitments"
      )
    }
  }

  /// Refuses options that choose nothing for a table without contributions to leave out.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - hasMonths: Whether it has months.
  /// - Throws: `UsageError` that names the first of them.
  func refuseOptions(of table: String, hasMonths: Bool) throws(UsageError) {
    if leftOut {
      throw UsageError("--left-out lists what churn, renewals and the like leave out, not \(table)")
    }
    guard !hasMonths, let given = month ?? against else { return }
    let option = month == nil ? "--against" : "--month"
    throw UsageError("\(option) \(given): \(table) has a row for each file and none for a month")
  }

  /// Returns the month; `nil` for the last complete one.
  func month(_ system: MonthSystem) throws(UsageError) -> Month? {
    guard let month, month != "last" else { return nil }
    return try MonthOptions.read(month, "--month", system)
  }
}

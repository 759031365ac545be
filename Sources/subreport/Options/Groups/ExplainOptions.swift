import ArgumentParser
import Evidence
import SubscriptionModel

/// The options that choose the row to explain, and how many contributions are listed.
struct ExplainOptions: ParsableArguments {
  @Option(.month) var month: String?

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

  func validate() throws {
    guard limit.map({ $0 > 0 }) != false else {
      throw ValidationError("--limit: use a whole number of at least 1")
    }
  }

  /// Returns the month; `nil` for the last complete one.
  func month(_ system: MonthSystem) throws(UsageError) -> Month? {
    guard let month, month != "last" else { return nil }
    return try MonthOptions.read(month, "--month", system)
  }
}

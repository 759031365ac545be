import ArgumentParser
import SubscriptionModel

/// Which months a single table shows.
struct MonthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A month such as 2026-10, or last: the last complete one (the default).", valueName: "month"))
  var month: String?

  @Option(help: ArgumentHelp("The first month, by a month or a day in it.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("The last month, by a month or a day in it.", valueName: "date"))
  var to: String?

  @Flag(help: "All months.")
  var allMonths = false

  func validate() throws { _ = try months(last: nil, .calendar) }

  /// The months to show.
  func months(last: Month?, _ system: MonthSystem) throws -> ClosedRange<Month>? {
    guard [month != nil, from != nil || to != nil, allMonths].filter({ $0 }).count <= 1 else {
      throw ValidationError("found several of --month, --from/--to and --all-months, expected one")
    }
    if allMonths { return nil }
    if from != nil || to != nil {
      let first = try from.map { try Self.read($0, "--from", system) } ?? Month(year: 1, month: 1)
      let final = try to.map { try Self.read($0, "--to", system) } ?? Month(year: 9999, month: 12)
      guard first <= final else {
        throw ValidationError("found --from \(first) after --to \(final)")
      }
      return first...final
    }
    if let month, month != "last" {
      let only = try Self.read(month, "--month", system)
      return only...only
    }
    return last.map { $0...$0 }
  }

  private static func read(
    _ text: String, _ flag: String, _ system: MonthSystem
  ) throws -> Month {
    if let month = Month(text) ?? Day(text).map(system.month) { return month }
    throw ValidationError("\(flag): found \"\(text)\", expected a month such as 2026-10")
  }
}

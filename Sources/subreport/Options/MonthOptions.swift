import ArgumentParser
import Pages
import Storage
import SubscriptionModel
import Tables

/// The options that choose the months of a single table.
protocol MonthChoice: ParsableArguments {
  /// The options; `nil` for a table without a column `month`.
  var options: MonthOptions? { get }
  /// `--month`, `--from` and `--to` as they were given.
  var asWritten: String { get }
  /// The months in which subscriptions began that count; `nil` for all, and for other tables.
  func starts() throws(UsageError) -> MonthOptions.Choice?
  /// The rows to show, by the names of columns and their values; no value means all.
  var kept: [(column: String, values: [String])] { get }
}

extension MonthChoice {
  func starts() -> MonthOptions.Choice? { nil }
  var kept: [(column: String, values: [String])] { [] }
}

/// The options for the months in which subscriptions began, of a table without a column `month`.
struct StartMonthOptions: MonthChoice {
  @Option(.from) var from: String?
  @Option(.to) var to: String?
  @Option(.last) var last: Int?
  /// Accepted, so that `--all-months` works with all tables, and ignored.
  @Flag(help: .hidden) var allMonths = false

  var options: MonthOptions? { nil }
  var asWritten: String { MonthOptions.written([("--from", from), ("--to", to)]) }

  /// How many start months `--against` compares together where neither an option nor a view chooses them: a quarter.
  static let comparedMonths = 3

  func starts() throws(UsageError) -> MonthOptions.Choice? {
    if let last { return .last(last) }
    return try MonthOptions.range(from, to, .calendar).map { .range($0) }
  }

  func validate() throws {
    guard last == nil || from == nil && to == nil else {
      throw ValidationError("--from with --to, and --last exclude each other; give one of them")
    }
    try MonthOptions.validate(last: last)
  }
}

/// The options for the months and for the price or the proceeds, of a table with rows of both.
struct BasisOptions<Months: MonthChoice>: MonthChoice {
  /// The values of the column `basis`.
  private static var known: [String] { ["price", "proceeds"] }

  @OptionGroup var months: Months

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only what customers pay, price, or what the developer gets, proceeds. Repeatable.",
      valueName: "name"), completion: .list(["price", "proceeds"]))
  var basis: [String] = []

  var options: MonthOptions? { months.options }
  var asWritten: String { months.asWritten }
  var kept: [(column: String, values: [String])] { [("basis", basis)] }

  func starts() throws(UsageError) -> MonthOptions.Choice? { try months.starts() }

  func validate() throws { try DefinitionOptions.validate(basis, "--basis", Self.known) }
}

/// The options for the months, the numbers and the tools of `definitions`.
struct DefinitionOptions: MonthChoice {
  @OptionGroup var months: MonthOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only this number: \(OtherMeasure.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.",
      valueName: "name"), completion: .list(OtherMeasure.allCases.map(\.rawValue)))
  var measure: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only as this tool defines it: \(OtherTool.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.",
      valueName: "tool"), completion: .list(OtherTool.allCases.map(\.rawValue)))
  var like: [String] = []

  var options: MonthOptions? { months }
  var asWritten: String { months.asWritten }
  var kept: [(column: String, values: [String])] { [("measure", measure), ("tool", like)] }

  func validate() throws {
    try Self.validate(measure, "--measure", OtherMeasure.allCases.map(\.rawValue))
    try Self.validate(like, "--like", OtherTool.allCases.map(\.rawValue))
  }

  /// Refuses values that an option does not know.
  static func validate(_ given: [String], _ flag: String, _ known: [String]) throws {
    guard let other = given.first(where: { text in !known.contains { $0.isSame(as: text) } }) else {
      return
    }
    throw ValidationError("\(flag) \(other): use \(joined(known, by: "or"))")
  }
}

/// The options for the months of a single table.
struct MonthOptions: MonthChoice {
  var options: MonthOptions? { self }

  @Option(.month) var month: String?
  @Option(.from) var from: String?
  @Option(.to) var to: String?
  @Option(.last) var last: Int?
  @Flag(.allMonths) var allMonths = false

  /// The months of a picture without a month option.
  private static let drawnMonths = 60

  /// The requested months.
  enum Choice {
    case all
    case last(Int)
    case range(ClosedRange<Month>)

    /// Returns the months to show; `nil` for all, as `.last` does without a last complete month.
    func months(last: Month?) -> ClosedRange<Month>? {
      switch self {
      case .all: nil
      case .last(let count): last.map { $0 - (count - 1)...$0 }
      case .range(let months): months
      }
    }
  }

  /// The options as they were given.
  var asWritten: String {
    Self.written([("--month", month), ("--from", from), ("--to", to)])
  }

  /// Returns options with their values, those that are given.
  fileprivate static func written(_ options: [(name: String, value: String?)]) -> String {
    options.compactMap { name, text in text.map { "\(name) \($0)" } }.joined(separator: " ")
  }

  func validate() throws {
    let given = [month != nil, from != nil || to != nil, last != nil, allMonths]
    guard given.filter({ $0 }).count <= 1 else {
      throw ValidationError(
        "--month, --from with --to, --last and --all-months exclude each other; give one of them")
    }
    try Self.validate(last: last)
  }

  /// Refuses a number of months that is too small or too large.
  static func validate(last: Int?) throws {
    guard (1...1_200).contains(last ?? 1) else {
      throw ValidationError("--last: use a number of months from 1 to 1200")
    }
  }

  /// Returns the requested months; checks them before any report is read.
  ///
  /// `isDrawn`: whether the table becomes a picture, which has many months unless some were asked for.
  func choice(_ system: MonthSystem, isDrawn: Bool = false) throws(UsageError) -> Choice {
    if allMonths { return .all }
    if let months = try Self.range(from, to, system) { return .range(months) }
    guard let month, month != "last" else {
      return .last(last ?? (isDrawn && month == nil ? Self.drawnMonths : 1))
    }
    let only = try Self.read(month, "--month", system)
    return .range(only...only)
  }

  /// Returns the months that `--from` and `--to` name; `nil` without both.
  fileprivate static func range(
    _ from: String?, _ to: String?, _ system: MonthSystem
  ) throws(UsageError) -> ClosedRange<Month>? {
    guard from != nil || to != nil else { return nil }
    var (first, final) = (Month(year: 1, month: 1), Month(year: 9999, month: 12))
    if let from { first = try read(from, "--from", system) }
    if let to { final = try read(to, "--to", system) }
    guard first <= final else {
      throw UsageError("--from \(system.name(first)) is after --to \(system.name(final))")
    }
    return first...final
  }

  /// Returns the month that an option names.
  static func read(
    _ text: String, _ flag: String, _ system: MonthSystem
  ) throws(UsageError) -> Month {
    if let month = system.month(named: text) ?? Day(text).map(system.month) { return month }
    if flag == "--month", MonthText.isLast(text) {
      throw UsageError("\(flag) \(text): did you mean last, the last complete month?")
    }
    switch system {
    case .calendar:
      if let period = FiscalPeriod(text.uppercased()) {
        throw UsageError(
          "\(flag): \(period) is Apple's fiscal period of \(period.days); add --fiscal, or write the month \(period.nameMonth)"
        )
      }
      let advice =
        MonthText.meant(text).map { "did you mean \($0)?" } ?? MonthText.advice(text)
        ?? (flag == "--month"
          ? "use a month such as 2026-10, or last; --last 6 and --all-months print several"
          : "use a month such as 2026-10")
      throw UsageError("\(flag) \(text): \(advice)")
    case .fiscal:
      if let month = Month(text) {
        let period = FiscalPeriod(number: month.number)
        throw UsageError(
          "\(flag): \(text) could be Apple's fiscal period \(period) (\(period.days)) or \(month.longName(.calendar)), which is \(FiscalPeriod(named: month)); write one of them"
        )
      }
      let advice =
        MonthText.meantPeriod(text).map { "did you mean \($0)?" }
        ?? MonthText.advice(period: text)
        ?? "use a fiscal period such as FY2026-P05; a year has 12"
      throw UsageError("\(flag) \(text): \(advice)")
    }
  }
}

extension FiscalPeriod {
  fileprivate var days: String { "\(firstDay) to \(lastDay)" }
}

/// Recognizes months in other notations, for the question "did you mean 2026-08?".
enum MonthText {
  private static let names = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Returns the month that a text may mean, or `nil` if it is ambiguous or none.
  ///
  /// Examples are `2026/8`, `08.2026`, `202608` and `August 2026`.
  static func meant(_ text: String) -> Month? {
    let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if parts.count == 1, let part = parts.first, part.count == 6, Int(part) != nil {
      return month(year: String(part.prefix(4)), of: String(part.suffix(2)))
    }
    let years = parts.filter { $0.count == 4 && Int($0) != nil }
    guard (2...3).contains(parts.count), years.count == 1, let year = years.first else {
      return nil
    }
    // In a date, the day is last if the year is first; if the year is not first, the day may be on either side.
    let rest = parts.filter { $0 != year }
    if parts.first == year { return month(year: year, of: rest[0]) }
    let named = rest.compactMap { month(year: year, of: $0) }
    return rest.count == 1 || named.count == 1 ? named.first : nil
  }

  /// Whether a text means the newest month, such as `latest` and `last month`.
  static func isLast(_ text: String) -> Bool {
    let words = Set(text.lowercased().split { !$0.isLetter })
    return !words.isDisjoint(with: [
      "last", "latest", "newest", "recent", "current", "previous", "today", "now", "yesterday",
    ])
  }

  /// Returns how to write a month without a year, a quarter or a year; `nil` for another text.
  ///
  /// Of `september` and `9` `add the year, such as 2026-09`; of `2026-Q3` `a quarter is --from 2026-07 --to 2026-09`.
  static func advice(_ text: String) -> String? {
    let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let year = parts.first { $0.count == 4 && Int($0) != nil }.flatMap { Int($0) }
    let others = parts.filter { $0.count != 4 || Int($0) == nil }
    if let year, others.isEmpty {
      return "a year is --from \(Month(year: year, month: 1)) --to \(Month(year: year, month: 12))"
    }
    let shown = year ?? 2026
    guard let first = others.first else { return nil }
    if first.count == 2, first.first == "q", let quarter = first.last?.wholeNumberValue,
      (1...4).contains(quarter)
    {
      let last = Month(year: shown, month: 3 * quarter)
      return "a quarter is \(year == nil ? "such as " : "")--from \(last - 2) --to \(last)"
    }
    guard year == nil, let month = month(year: "2026", of: first) else { return nil }
    return "add the year, such as \(month)"
  }

  /// Returns how to write a fiscal period without its year; `nil` for another text.
  ///
  /// Of `P11` and `August` `add the fiscal year, such as FY2026-P11`.
  static func advice(period text: String) -> String? {
    let digits = text.lowercased().hasPrefix("p") ? Int(text.dropFirst()) : nil
    let named = month(year: "2026", of: text.lowercased()).map(FiscalPeriod.init(named:))
    let period =
      digits.flatMap {
        (1...12).contains($0) ? FiscalPeriod(fiscalYear: 2026, period: $0) : nil
      } ?? (Int(text) == nil ? named : nil)
    return period.map { "add the fiscal year, such as \($0)" }
  }

  /// Returns the fiscal period that a text may mean: of `FY26-P10`, `2026-P10`, `FY2026-10` and `fy2026p10` FY2026-P10, of
  /// `Aug 2026` FY2026-P11, which has most days of August.
  static func meantPeriod(_ text: String) -> FiscalPeriod? {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let isPeriod = text.lowercased().hasPrefix("fy") || text.lowercased().contains("p")
    if let month = meant(text), numbers.count == 1 { return FiscalPeriod(named: month) }
    guard isPeriod, numbers.count == 2, (1...12).contains(numbers[1]) else { return nil }
    let year = numbers[0] < 100 ? 2000 + numbers[0] : numbers[0]
    return (2000...2999).contains(year) ? FiscalPeriod(fiscalYear: year, period: numbers[1]) : nil
  }

  private static func month(year: String, of text: String) -> Month? {
    guard let year = Int(year), (2000...2999).contains(year) else { return nil }
    let number =
      Int(text) ?? names.firstIndex { text.count > 2 && $0.hasPrefix(text) }.map { $0 + 1 }
    return number.flatMap { (1...12).contains($0) ? Month(year: year, month: $0) : nil }
  }
}

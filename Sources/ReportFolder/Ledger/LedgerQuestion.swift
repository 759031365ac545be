import Pipeline
import Rendering
import Scanning
import Storage
package import SubscriptionModel
import Tables

/// The reason why a question to a ledger has no answer, as one sentence.
package struct LedgerQuestionError: Error, Equatable, Sendable {
  package var message: String

  init(_ message: String) { self.message = message }
}

/// A question to a ledger: a table or one of its columns, and the rows.
package struct LedgerQuestion: Equatable, Sendable {
  /// A value that rows have.
  struct Condition: Equatable, Sendable {
    var key: String
    /// The value, as CSV has it.
    var value: String

    var text: String { "--where \(key)=\(value)" }
  }

  package enum Subject: Equatable, Sendable {
    /// A cell in each run.
    case cell
    /// The table of the run whose data end on a day, or of the latest before.
    case table(Day)
  }

  let table: String
  /// The column; `nil` for all.
  let column: String?
  let conditions: [Condition]
  /// The month as it was written, or `last`; `nil` for all.
  let month: String?
  let subject: Subject

  /// Reads a question about a cell such as `churn.churn_rate`, or a table of a day, with conditions such as
  /// `currency=EUR`.
  package init(
    _ cell: String, where conditions: [String], month: String?, at day: Day?
  ) throws(LedgerQuestionError) {
    let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let columns = LedgerTable.columns(of: parts[0]) else {
      let advice = Nearest.advice(parts[0], among: LedgerTable.names)
      throw LedgerQuestionError("history \(parts[0]): no such table; \(advice)")
    }
    table = parts[0]
    column = parts.count > 1 ? parts[1] : nil
    if column == nil, day == nil {
      let number = columns.map(\.column).first { $0.kind == .count || $0.kind == .rate }
      throw LedgerQuestionError(
        "history \(table): name a column, such as \(table).\(number?.name ?? ""), or a day with --at"
      )
    }
    var read: [Condition] = []
    for text in conditions {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        throw LedgerQuestionError(
          "--where \(text): write a column and its value, such as currency=EUR")
      }
      guard !["month", "period"].contains(parts[0]) else {
        throw LedgerQuestionError("--where \(text): use --month \(parts[1])")
      }
      guard !read.contains(where: { $0.key == parts[0] }) else {
        throw LedgerQuestionError(
          "--where \(text): \(parts[0]) is given twice; a row has one value")
      }
      read.append(Condition(key: parts[0], value: SeparatedValues.withoutGuard(parts[1])))
    }
    self.conditions = read
    self.month = month
    subject = day.map { .table($0) } ?? .cell
  }
}

/// The rows of a table that a question is about.
struct LedgerRows {
  let names: [String]
  /// The place of the month among them; `nil` in a table without months.
  let monthPlace: Int?
  private(set) var keys: Set<[ReportTable.Cell]>
  /// The source that was chosen because none was asked for; `nil` if there is no other.
  private(set) var chosenSource: (name: String, others: [String])?
  /// The months of the rows as they are written, in order; empty in a table without months.
  private(set) var months: [String] = []

  /// Finds the rows.
  ///
  /// `seen` are the keys of all rows that the table ever had, `lastDay` is the latest end of data of all runs, and
  /// `system` how the last run writes months.
  init(
    _ question: LedgerQuestion, seen: Set<[ReportTable.Cell]>, _ columns: [ReportTable.Column],
    lastDay: Day?, _ system: MonthSystem?
  ) throws(LedgerQuestionError) {
    names = columns.keyNames
    monthPlace = columns.monthPlace
    keys = seen
    for condition in question.conditions { try keep(condition, question.table) }
    guard let place = monthPlace else {
      if let month = question.month {
        throw LedgerQuestionError("--month \(month): the rows of \(question.table) have no months")
      }
      return
    }
    months = Set(keys.compactMap { $0[place].words }).sorted()
    guard let asked = question.month else { return }
    guard let month = Self.month(asked, in: months, lastDay, system) else {
      let span = months.first.map { "the ledger has \($0) to \(months.last ?? $0)" }
      throw LedgerQuestionError("--month \(asked): \(span ?? "the ledger has no month")")
    }
    months = [month]
    keys = keys.filter { $0[place] == .text(month) }
  }

  private mutating func keep(
    _ condition: LedgerQuestion.Condition, _ table: String
  ) throws(LedgerQuestionError) {
    guard let place = names.firstIndex(of: condition.key) else {
      let others = names.indices.filter { $0 != monthPlace }.map { names[$0] }
      throw LedgerQuestionError(
        "\(condition.text): the whole population of \(table) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: others))"
      )
    }
    let values = keys.map { $0[place].machineText }
    guard values.contains(where: condition.value.isSame) else {
      let advice = Nearest.advice(condition.value, of: condition.key, among: values)
      throw LedgerQuestionError(
        "\(condition.text): no row of \(table) has this value\(advice)"
      )
    }
    keys = keys.filter { $0[place].machineText.isSame(as: condition.value) }
  }

  /// Returns the month as the rows write it; `last` is the last one that is over.
  private static func month(
    _ text: String, in months: [String], _ lastDay: Day?, _ system: MonthSystem?
  ) -> String? {
    guard text == "last", let lastDay, let first = months.first else {
      return months.contains(text) ? text : nil
    }
    let system = system ?? MonthSystem(naming: first)
    return months.last { name in
      system.month(named: name).map { system.lastDay(of: $0) <= lastDay } ?? false
    }
  }

  // MARK: One row a month

  /// Keeps one row of each month, of the headline source if none was asked for; the error lists what can be chosen.
  mutating func keepOne(
    _ question: LedgerQuestion, _ table: LedgerState.Table?, primary: String?
  ) throws(LedgerQuestionError) {
    if let place = names.firstIndex(of: "source") {
      let sources = Set(keys.compactMap { $0[place].words }).sorted()
      if sources.count > 1, let source = headlineSource(sources, table, primary) {
        chosenSource = (source, sources.filter { $0 != source })
        keys = keys.filter { $0[place] == .text(source) }
      }
    }
    let open = openPlaces
    guard !open.isEmpty else { return }
    let choices = open.map { place in Self.choice(names[place], keys.map { $0[place] }) }
    let months = question.month == nil ? "" : " of \(self.months.joined())"
    throw LedgerQuestionError(
      "\(question.table)\(months) has several rows; choose one with \(choices.joined(separator: " and "))"
    )
  }

  /// The places of the keys that choose one of several rows, none of them twice: the line of a settlement, not its step.
  private var openPlaces: [Int] {
    let places = names.indices.filter { $0 != monthPlace }
    let inOrder = places.filter { names[$0] != "step" } + places.filter { names[$0] == "step" }
    return Nearest.keysTellingApart(keys.map { key in inOrder.map { key[$0].machineText } })
      .map { inOrder[$0] }
  }

  /// Returns the option that chooses one of several rows, such as `--where currency=… (EUR, USD)`.
  static func choice(_ name: String, _ cells: [ReportTable.Cell]) -> String {
    let values = Set(cells).sorted { precedes([$0], [$1]) }
    return Nearest.condition(name, values.map(\.machineText).unique)
  }

  /// Returns the source of the headlines: the preferred one, else the first whose row is not partial.
  private func headlineSource(
    _ sources: [String], _ table: LedgerState.Table?, _ primary: String?
  ) -> String? {
    if let primary, sources.contains(primary) { return primary }
    let possible = HeadlineMaker.possibleSources.map(\.rawValue).filter(sources.contains)
    guard let table, let place = names.firstIndex(of: "source"),
      let state = table.columns.firstIndex(where: { $0.name == "state" })
    else { return possible.first }
    let whole = Set(
      keys.compactMap { key in
        table.rows[key].flatMap { $0[state] == .text("partial") ? nil : key[place].words }
      })
    return possible.first(where: whole.contains) ?? possible.first
  }
}

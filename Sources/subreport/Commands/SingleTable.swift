import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// A command that prints one table and is named after it.
struct SingleTable<Table: NamedTable>: ParsableCommand, CommandOptions {
  static var configuration: CommandConfiguration {
    let definition = Definition.definition(of: Table.kind)
    return CommandConfiguration(
      commandName: Table.kind.rawValue, abstract: Table.abstract,
      discussion: discussion(
        """
        \(definition.sentence)

        One row per \(definition.rowIs). What each column means: subreport metrics \
        \(Table.kind.rawValue).
        """, Table.examples))
  }

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var shownMonths: Table.Months
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var sources: SourceOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var currency: CurrencyOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.strictness) var conditions: ConditionOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.running) var running: RunOptions

  private var kind: TableKind { Table.kind }

  /// The months to show; `nil` for a table without months.
  private var months: MonthOptions? { shownMonths.options }

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    let command = try RunCommand(try settings(), defaultViews: [[]], alwaysWhole: false)
    let format = try command.settings.format()
    let conditions = command.conditions
    var plan = command.plan
    let choice = try months?.choice(plan.monthSystem)
    guard format != .json || plan.views.count == 1 else {
      throw UsageError(
        "\(command.settings.origin(.by)): the format json is one array, so it takes one view and not \(plan.views.count); use -f jsonl"
      )
    }
    try command.refuseInput(as: output.output)
    try refuseOtherSources(command)
    // Conditions test the whole population, whatever view is printed.
    let shownViews = plan.views.count
    if !conditions.isEmpty, !plan.views.contains([]) { plan.views.append([]) }
    // On a terminal one source speaks: it is found in the churn of the whole population.
    let choosesSource =
      format == .table && !sources.allSources && command.settings.list(.source).isEmpty
    if choosesSource, !plan.views.contains([]) { plan.views.append([]) }
    let tables = [kind] + conditions.map(\.table) + (choosesSource ? [.churn] : [])
    plan.readsFinance = false
    plan.sources.formIntersection(tables.flatMap { Definition.definition(of: $0).sources })
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    do {
      let maker = result.tableMaker()
      guard maker.hasSource(for: kind) else {
        command.console.error(
          "\(NeededInput(kind).sentence(kind.rawValue, result)) [no-input]")
        return try command.exit(reasons.union([.unusableInput]))
      }
      try command.obeyStrict(kind.rawValue, reasons) {
        if reasons.contains(.missingDays) { noteStates(result, command) }
      }
      let shown = choice?.months(last: result.lastCompleteMonth(for: kind))
      var bytes: [UInt8] = []
      let tables = try command.making {
        try (0..<shownViews).map {
          try maker.table(kind, view: $0).inMonths(shown, plan.monthSystem)
        }
      }
      if tables.allSatisfy(\.rows.isEmpty), let months {
        try refuseMonthsOutside(months, choice, result)
      }
      let source = choosesSource ? try result.source(showing: kind, tables) : nil
      for (view, var table) in tables.enumerated() {
        if let source { table = table.filtered("source") { $0 == source.rawValue } }
        if let conversion = command.conversion { table = try conversion.addingColumns(to: table) }
        if table.rows.isEmpty {
          let reason =
            maker.allows(kind) ? "rows for these months and filters" : "charge is an instalment"
          command.console.note("note: no \(reason)")
        }
        if format == .table {
          let shown = table.withoutEmptyColumns
          noteLeftOut(table, shown, command)
          table = shown
        }
        if view > 0 { bytes.append(UInt8(ascii: "\n")) }
        try command.settings.renderer(format).append(table, to: &bytes)
      }
      if let source, result.sources.count > 1 {
        command.console.note("note: from \(source.rawValue); --all-sources shows the others")
      }
      noteStates(result, command)
      let failures = try command.print(bytes, to: output.output)
      reasons.formUnion(failures)
      if failures.isEmpty, try command.anyConditionHolds(result) { reasons.insert(.failIf) }
      if failures.isEmpty { reasons.formUnion(command.noteUntestable(result)) }
    } catch let error as ConversionError {
      command.console.error(error.line(command.settings.text(.rates)))
      reasons.insert(.unusableInput)
    }
    try command.exit(reasons)
  }

  /// Refuses sources that the table cannot be made from, before anything is read.
  private func refuseOtherSources(_ command: RunCommand) throws(UsageError) {
    let possible = Definition.definition(of: kind).sources.map(\.rawValue)
    let asked = command.settings.list(.source)
    guard let other = asked.first, !asked.contains(where: possible.contains) else { return }
    let isWritten = command.settings.isOnCommandLine(.source)
    let origin = isWritten ? "" : command.settings.origin(.source) + ": "
    throw UsageError(
      "\(origin)\(kind.rawValue) is not made from \(other); \(Nearest.choice(possible.sorted()))")
  }

  /// Refuses months outside the data, because an empty table would look like one without losses.
  private func refuseMonthsOutside(
    _ months: MonthOptions, _ choice: MonthOptions.Choice?, _ result: RunResult
  ) throws {
    guard case .range(let asked) = choice, let data = result.monthsOfData(for: kind),
      !asked.overlaps(data)
    else { return }
    throw UsageError("\(months.asWritten): the data cover \(result.text(data))")
  }

  /// Prints which columns a table on a terminal leaves out, because they are empty in all rows.
  private func noteLeftOut(_ table: ReportTable, _ shown: ReportTable, _ command: RunCommand) {
    let names = Set(shown.columns.map(\.name))
    let empty = table.columns.map(\.name).filter { !names.contains($0) }
    guard !empty.isEmpty else { return }
    command.console.note("note: empty columns left out: \(empty.joined(separator: ", "))")
  }

  /// Prints on standard error what the table does not show, such as missing days.
  private func noteStates(_ result: RunResult, _ command: RunCommand) {
    if result.days.count(.missing) > 0 {
      command.console.note("note: \(result.missingDaysText); subreport check says which")
    }
    for line in result.instalmentNotes { command.console.note("note: \(line)") }
    let receipts = result.sources.first { $0.source == .receipts }
    if let days = receipts?.completeness, let leftOut = days.leftOut {
      command.console.note(
        "note: \(counted(leftOut.records, "record")) of receipts made after \(days.asOf) left out; every row of receipts is partial"
      )
    }
    for (source, view) in result.missingViews {
      command.console.note(
        "note: \(source.rawValue) cannot be shown by \(view.map(\.rawValue).joined(separator: ","))"
      )
    }
    for source in result.unfilteredSources {
      command.console.note("note: \(source.rawValue) lacks a filtered dimension and is left out")
    }
  }
}

extension ReportTable {
  /// Keeps the rows of some months; a table without months stays whole.
  fileprivate func inMonths(_ months: ClosedRange<Month>?, _ system: MonthSystem) -> ReportTable {
    guard let months, let index = columns.firstIndex(where: { $0.name == "month" }) else {
      return self
    }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return system.month(named: text).map(months.contains) == true
    }
    return table
  }
}

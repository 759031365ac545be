import ArgumentParser
import Counting
import Files
import Pages
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

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
  @OptionGroup(.rows) var comparison: AgainstOptions
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var sources: SourceOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var shape: TableOptions
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
    let command = try RunCommand(
      try settings(), defaultViews: [[]], alwaysWhole: false, table: kind)
    let format = try command.settings.format(
      hasFigure: TableFigures.commands.contains(kind.rawValue))
    let conditions = command.conditions
    var plan = command.plan
    if kind == .lifetime, plan.views.contains(where: { $0.contains(.startMonth) }) {
      throw UsageError("--by start_month: lifetime has rows by start month already; leave it out")
    }
    if kind == .definitions {
      guard views.by.isEmpty else {
        throw UsageError(
          "--by \(views.by[0]): definitions compares the whole population only; leave out --by")
      }
      plan.views = [[]]
    }
    let choice = try months?.choice(plan.monthSystem, isDrawn: !format.isOfRows)
    try refuseSeveralViews(plan.views.count, format, command)
    try command.refuseInput(as: output.output)
    try refuseOtherSources(command)
    try refuseUnknownColumns(command, format)
    let shownViews = plan.views.count
    // On a terminal and in pictures one source speaks, and of retention one length of plan.
    let isOfOneSource = (format == .table || !format.isOfRows) && !sources.allSources
    let choosesSource = isOfOneSource && command.settings.list(.source).isEmpty
    if kind == .retention, isOfOneSource, plan.views == [[]] { plan.views.append([.duration]) }
    if try startMonths(plan.views) != nil { plan.addStartMonths() }
    addWhole(to: &plan, conditions, choosesSource: choosesSource)
    let tables = [kind] + conditions.map(\.table)
    plan.countsMoney = tables.contains(where: \.isOfMoney)
    plan.countsOthers = tables.contains(.definitions)
    let result = try command.run(plan)
    let reasons = try command.reasons(result)
    guard result.tableMaker().hasSource(for: kind) else {
      command.console.noInput(NeededInput(kind), for: kind.rawValue, result)
      return try command.exit(reasons.union([.unusableInput]))
    }
    try command.obeyStrict(kind.rawValue, reasons) {
      if reasons.contains(.missingDays) { noteStates(result, command) }
    }
    let more = try command.obstacles {
      let isRead = format == .table && output.output == nil && Terminal.isThere
      let failures = try command.console.notesBelow(isRead) {
        try show(result, views: shownViews, choice, command, format, choosesSource: choosesSource)
      }
      return failures.isEmpty ? try command.testConditions(result) : failures
    }
    try command.exit(reasons.union(more))
  }

  /// Refuses several views in a format that has room for one.
  private func refuseSeveralViews(
    _ count: Int, _ format: OutputFormat, _ command: RunCommand
  ) throws(UsageError) {
    guard count > 1, let (what, other) = format.ofOneView else { return }
    throw UsageError(
      "\(command.settings.origin(.by)): the format \(format.rawValue) is one \(what), so it takes one view and not \(count); use -f \(other)"
    )
  }

  /// Adds the whole population, which conditions test whatever view is printed, and in whose churn the source that
  /// speaks is found.
  private func addWhole(to plan: inout RunPlan, _ conditions: [Condition], choosesSource: Bool) {
    if choosesSource || !conditions.isEmpty, !plan.views.contains([]) { plan.views.append([]) }
    let tables = [kind] + conditions.map(\.table) + (choosesSource ? [.churn] : [])
    plan.readsFinance = false
    plan.sources.formIntersection(tables.flatMap { Definition.definition(of: $0).sources })
  }

  /// How many start months of `lifetime` a terminal shows.
  private static var shownStarts: Int { 12 }

  /// Prints the first views of a run.
  private func show(
    _ result: RunResult, views: Int, _ choice: MonthOptions.Choice?, _ command: RunCommand,
    _ format: OutputFormat, choosesSource: Bool
  ) throws -> Set<ExitReason> {
    let maker = result.tableMaker(conversion: kind.convertsCharges ? command.conversion : nil)
    let shown = choice?.months(last: result.lastCompleteMonth(for: kind))
    let started = try startMonths(Array(result.plan.views.prefix(views)))
      .flatMap { try months($0, in: result) }
    var whole = try command.making {
      try (0..<views).map { try table(maker, view: $0, result.plan.views[$0], started) }
    }
    if format == .table, kind == .lifetime {
      whole = whole.map { $0.atShownAges(newest: started == nil ? Self.shownStarts : nil) }
      let ages = ReportTable.shownAges.map { "\($0)" }.inWords()
      let starts = started == nil ? " of `all` and the newest \(Self.shownStarts) start months" : ""
      command.console.note("note: months \(ages)\(starts); -f csv has all")
    }
    let inMonths = whole.map { table in
      shown.map { table.inMonths($0.contains, result.plan.monthSystem) } ?? table
    }
    try refuseNothing(in: whole, result)
    if inMonths.allSatisfy(\.rows.isEmpty), let months {
      try refuseMonthsOutside(months, choice, result)
    }
    let source = choosesSource ? speakingSource(result, inMonths) : nil
    let measured = format.isForReaders ? whole.map(result.withoutUnmeasured) : whole
    var tables = try measured.map { try finished($0, source, shown, command, result) }
    var lengths = try lengthsOfPlan(maker, result, views, started).map { view in
      try finished(view, source, shown, command, result)
    }
    if Set(lengths?.namedRows.map(\.source) ?? []).count != 1 { lengths = nil }
    let main = lengths.map(\.ofMainDuration).flatMap { $0.name.isEmpty ? nil : $0 }
    if let main {
      tables = [main.table]
      command.console.note("note: only plans of \(main.name); --by duration shows all lengths")
    }
    for table in tables where table.rows.isEmpty {
      let reason =
        maker.allows(kind) ? "rows for these months and filters" : "charge is an instalment"
      command.console.note("note: no \(reason)")
    }
    if let started { command.console.note("note: \(sentence(started))") }
    if let source, result.sources.count > 1 {
      command.console.note("note: from \(kind.name(of: source)); --all-sources shows the others")
    }
    noteStates(result, command)
    if format == .table, comparison.earlier != nil, months != nil {
      command.console.note(
        "note: both months as they are known today; the line above the table, and reports, compare them at the same age"
      )
    }
    let sources = source.map { [$0] } ?? Set(result.sources.map(\.source))
    for line in shown.map({ result.rowsWithoutMeasurement(kind, sources, in: $0) }) ?? [] {
      command.console.note("note: \(line)")
    }
    let out = TableOutput(command, format, shape, path: output.output)
    // The answer is about all starts.
    let answer =
      started == nil
      ? try answer(
        result, inMonths, shown, command.conversion, lengths, width: out.width, format) : []
    var page = page(tables, result, source, target: command.conversion?.target)
    if let main {
      page.limits = [page.limits, "only plans of \(main.name)"].filter { !$0.isEmpty }
        .joined(separator: "; ")
    }
    // Without a figure no description says what the table says.
    if page.figures.isEmpty { page.sentence = MarkdownText.escaped(answer.joined(separator: " ")) }
    return try out.print(tables, answer: format == .table ? answer : [], page: page)
  }

  /// Refuses a view that no source can make, and a filter that no row passes: METRICS.md and CLI.md, "Values that are not
  /// there".
  private func refuseNothing(in tables: [ReportTable], _ result: RunResult) throws(UsageError) {
    let possible = Definition.definition(of: kind).sources
    let sources = result.sources.map(\.source).filter(possible.contains)
    for (table, view) in zip(tables, result.plan.views) where table.rows.isEmpty {
      guard sources.contains(where: { $0.dimensions.isSuperset(of: view) }) else {
        let names = sources.map(\.rawValue).inWords()
        let words = view.map(\.rawValue).joined(separator: ",")
        throw UsageError("--by \(words): \(names) cannot be shown by \(words)")
      }
    }
    let filters = result.plan.filters.byRow.filter { [.plan, .contingent].contains($0.dimension) }
    if let filter = filters.first, tables.allSatisfy(\.rows.isEmpty) {
      throw UsageError("no row has \(filter.name) \(filter.values.inWords("or"))")
    }
  }

  /// Returns retention by length of plan where the command prints one length: without `--by`, for people.
  private func lengthsOfPlan(
    _ maker: TableMaker, _ result: RunResult, _ views: Int, _ started: ClosedRange<Month>?
  ) throws -> ReportTable? {
    guard kind == .retention, views == 1, result.plan.views[0].isEmpty,
      let view = result.plan.views.dropFirst().firstIndex(of: [.duration])
    else { return nil }
    return try table(maker, view: view, [.duration], started)
  }

  /// Returns the source that speaks: of `definitions` one that follows subscriptions, because events have one number.
  private func speakingSource(_ result: RunResult, _ tables: [ReportTable]) -> Source? {
    let ofChains = tables.map { $0.filtered("source") { $0 != Source.events.rawValue } }
    let own = kind == .definitions ? result.source(showing: ofChains) : nil
    return own ?? result.source(showing: tables)
  }

  /// Returns the words and figures around the tables: of the source that speaks, or of all.
  private func page(
    _ tables: [ReportTable], _ result: RunResult, _ source: Source?, target: String?
  ) -> TablePage {
    let sources = source.map { [$0] } ?? Set(result.sources.map(\.source))
    let definition = Definition.definition(of: kind, for: sources, convertedTo: target)
    return TablePage(
      title: definition.title, limits: result.limits(from: source),
      lead: [definition.sentence, definition.caveat],
      figures: .of(tables, result))
  }

  /// Returns which start months are shown; `nil` for all, and for other tables.
  private func startMonths(_ views: [[Dimension]]) throws(UsageError) -> MonthOptions.Choice? {
    if let choice = try shownMonths.starts() { return choice }
    let needsMonths = kind == .retention && views.contains { !$0.contains(.startMonth) }
    return needsMonths && comparison.earlier != nil
      ? .last(StartMonthOptions.comparedMonths) : nil
  }

  /// Returns start months of the data.
  private func months(
    _ choice: MonthOptions.Choice, in result: RunResult
  ) throws(UsageError) -> ClosedRange<Month>? {
    guard case .range(let asked) = choice, let data = result.monthsOfData(for: kind) else {
      return choice.months(last: result.lastStartMonth)
    }
    guard asked.overlaps(data) else {
      throw UsageError("\(shownMonths.asWritten): \(result.advice(outside: asked, data))")
    }
    // The months of the data are fiscal ones in a fiscal run, start months never.
    let more = result.plan.monthSystem == .calendar ? 0 : 1
    return asked.clamped(to: data.lowerBound - more...data.upperBound + more)
  }

  /// Returns a view with all its rows; retention with its changes.
  private func table(
    _ maker: TableMaker, view: Int, _ dimensions: [Dimension], _ started: ClosedRange<Month>?
  ) throws(ConversionError) -> ReportTable {
    if kind == .retention, let earlier = comparison.earlier {
      return maker.retention(by: dimensions, startedIn: started, against: earlier)
    }
    if let started, kind == .retention {
      return maker.retention(by: dimensions, startedIn: started)
    }
    let whole = try maker.table(
      kind, view: view, needsRates: kind == .lifetime && started == nil, starts: started)
    let table = kept(whole)
    return started.map { table.inMonths($0.contains, .calendar, in: "start_month") } ?? table
  }

  /// Returns the rows that options such as `--like` keep.
  private func kept(_ table: ReportTable) -> ReportTable {
    shownMonths.kept.filter { !$0.values.isEmpty }.reduce(table) { table, rows in
      table.filtered(rows.column) { value in rows.values.contains { $0.isSame(as: value) } }
    }
  }

  private func sentence(_ started: ClosedRange<Month>) -> String {
    let words = { (months: ClosedRange<Month>) in
      let (first, last) = (months.lowerBound, months.upperBound)
      return first == last ? "in \(first)" : "from \(first) to \(last)"
    }
    let only = "only subscriptions that began \(words(started))"
    guard let earlier = comparison.earlier else { return only }
    let isByMonth = views.by.contains { $0.contains(Dimension.startMonth.rawValue) }
    let others =
      isByMonth
      ? "each start month against the \(earlier == .year ? "same month a year" : "month") before"
      : "against those that began \(words(earlier.months(before: started)))"
    return "\(only), \(others)"
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
    throw UsageError("\(months.asWritten): \(result.advice(outside: asked, data))")
  }

  /// Returns a view with the rows to show, of one source if it is given, and the columns that were asked for.
  private func finished(
    _ table: ReportTable, _ source: Source?, _ shown: ClosedRange<Month>?, _ command: RunCommand,
    _ result: RunResult
  ) throws -> ReportTable {
    let system = result.plan.monthSystem
    var table = table
    if let source { table = table.filtered("source") { $0 == kind.name(of: source) } }
    // Earlier months are kept until they have been compared with.
    if let shown {
      let distance = comparison.earlier?.distance ?? 0
      table = table.inMonths({ shown.contains($0) || shown.contains($0 + distance) }, system)
    }
    if let conversion = command.conversion, !kind.convertsCharges {
      table = conversion.addingKnownColumns(to: table)
    }
    table = addingChanges(to: table, result)
    table = shown.map { table.inMonths($0.contains, system) } ?? table
    // Only printed amounts need a rate.
    try command.conversion?.requireRates(of: table, columns: shape.shape.columns)
    if let target = command.conversion?.target,
      let month = table.firstMonthWithoutConvertedOpen(target)
    {
      command.console.note(
        "note: open_\(target) and fx_\(target) of \(month) are empty: a rate of the month before is missing"
      )
    }
    return table
  }

  /// Returns the answer above a table of one month, or without months, and the whole population, on a terminal and a page;
  /// of retention with `lengths`, the view by length of plan, that of one length.
  private func answer(
    _ result: RunResult, _ tables: [ReportTable], _ shown: ClosedRange<Month>?,
    _ conversion: CurrencyConversion?, _ lengths: ReportTable?, width: Int?, _ format: OutputFormat
  ) throws -> [String] {
    guard format == .table || format == .html, tables.count == 1, tables[0].dimensions.isEmpty,
      let source = speakingSource(result, tables),
      let month = months == nil || format == .html && shown == nil
        ? result.lastCompleteMonth() : shown?.upperBound,
      // A page has the months of its figures, and the answer is that of the last one.
      format == .html || shown.map({ $0.lowerBound == $0.upperBound }) ?? true,
      let whole = result.plan.views.firstIndex(of: [])
    else { return [] }
    let maker = result.tableMaker(conversion: kind.convertsCharges ? conversion : nil)
    var known = [TableKind.churn: [try maker.table(.churn, view: whole, needsRates: false)]]
    // Of other dashboards the largest currency speaks, that of recurring revenue.
    let besides: [TableKind] =
      kind == .definitions ? [.recurring] : kind == .recurring ? [.status] : []
    for kind in [kind] + besides {
      let table = try maker.table(kind, view: whole, needsRates: false)
      known[kind] = [kind == self.kind ? kept(table) : table]
    }
    if let lengths { known[kind]?.append(lengths) }
    return AnswerLines(
      result, known, kind, month: month, source: source, conversion: conversion
    ).lines(width: width)
  }

  private func addingChanges(to table: ReportTable, _ result: RunResult?) -> ReportTable {
    guard let earlier = comparison.earlier else { return table }
    // A view of retention has its changes; here it is one without rows.
    if kind == .retention { return result == nil ? table.addingChanges(since: table) : table }
    if kind == .lifetime { return table.addingChanges(earlier, .calendar, in: "start_month") }
    // Movement has no state: that of churn says whether it is known who left.
    let partial = kind == .movement ? result?.partialChurn ?? [:] : [:]
    return table.addingChanges(earlier, result?.plan.monthSystem ?? .calendar) { source, month in
      (result?.lacksDays(source, month) ?? false)
        || Source(rawValue: source).flatMap { partial[$0]?.contains(month) } == true
    }
  }

  /// Refuses columns that no view will have, before anything is read.
  private func refuseUnknownColumns(_ command: RunCommand, _ format: OutputFormat) throws {
    let definition = Definition.definition(of: kind)
    let tables = try command.plan.views.map { view in
      let columns = definition.columns(for: view)
      let known = kind.convertsCharges ? command.conversion?.columns(columns, of: kind) : nil
      let table = ReportTable(
        name: kind.rawValue, dimensions: view.map(\.rawValue), columns: known ?? columns, rows: [])
      let converted =
        known == nil ? try command.conversion?.addingColumns(to: table) ?? table : table
      return addingChanges(to: converted, nil)
    }
    try shape.refuseUnknownColumns(tables, format)
  }

  /// Prints on standard error what the table does not show, such as missing days.
  private func noteStates(_ result: RunResult, _ command: RunCommand) {
    let (days, said) = (result.days.unaccepted, result.linesShortOfThrough)
    for line in days.stopLines where !said.contains(line) { command.console.note("note: \(line)") }
    let missing = DayCoverage.count(days.entries.filter { $0.state == .missing && !$0.isAfterEnd })
    if missing > 0 {
      command.console.note("note: \(result.missingDaysText(missing)); subreport check says which")
    }
    for line in result.instalmentNotes { command.console.note("note: \(line)") }
    if let note = result.noteOnCountries { command.console.note("note: \(note)") }
    let receipts = result.sources.first { $0.source == .receipts }
    if let days = receipts?.completeness, let leftOut = days.leftOut {
      command.console.note(
        "note: \(counted(leftOut.records, "record")) of receipts made after \(days.asOf) left out; every row of receipts is partial"
      )
    }
    for (source, view) in result.missingViews where command.plan.views.contains(view) {
      command.console.note(
        "note: \(source.rawValue) cannot be shown by \(view.map(\.rawValue).joined(separator: ","))"
      )
    }
    for source in result.unfilteredSources {
      command.console.note("note: \(source.rawValue) lacks a filtered dimension and is left out")
    }
  }
}

import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// Prints one table, for the commands that are named after it.
struct SingleTable {
  let kind: TableKind
  let options: SharedOptions
  /// Which months to show; `nil` for a table that has none.
  let months: MonthOptions?

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    let command = try RunCommand(options, defaultViews: [[]], alwaysWhole: false)
    let format = try command.settings.format()
    let conditions = command.conditions
    var plan = command.plan
    guard format != .json || plan.views.count == 1 else {
      throw UsageError(
        "\(command.settings.origin(.by)): found \(plan.views.count) views with the format json, which is one array; expected one view, or the format jsonl"
      )
    }
    try command.refuseInput(as: options.output)
    // Conditions are about the whole population, whatever view is printed.
    let shownViews = plan.views.count
    if !conditions.isEmpty, !plan.views.contains([]) { plan.views.append([]) }
    let tables = [kind] + conditions.map(\.table)
    plan.readsFinance = false
    plan.sources.formIntersection(tables.flatMap { Definition.definition(of: $0).sources })
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    do {
      let maker = result.tableMaker()
      guard maker.allows(kind) else {
        let sources = Definition.definition(of: kind).sources.map(\.rawValue)
        command.console.error(
          "\(kind.rawValue): error: found no usable input\(plan.untilAsOf), expected that of one of the sources \(sources.joined(separator: ", ")) [no-input]"
        )
        return try command.exit(reasons.union([.unusableInput]), after: result)
      }
      if try command.isForbidden(kind.rawValue, reasons) {
        if reasons.contains(.missingDays) { noteStates(result, command) }
        return try command.exit(reasons, after: result)
      }
      let shown = try months?.months(
        last: result.lastCompleteMonth(for: kind), plan.monthSystem)
      var bytes: [UInt8] = []
      for view in 0..<shownViews {
        var table = try maker.table(kind, view: view).inMonths(shown)
        if let conversion = command.conversion { table = try conversion.addingColumns(to: table) }
        if table.rows.isEmpty { command.console.note("note: no rows for these months and filters") }
        if view > 0 { bytes.append(UInt8(ascii: "\n")) }
        let isColored = try command.settings.isColored(descriptor: 1)
        TableRenderer(format, style: .init(isColored: isColored)).append(table, to: &bytes)
      }
      noteStates(result, command)
      let failures = try command.print(bytes, to: options.output)
      reasons.formUnion(failures)
      if failures.isEmpty, try command.anyConditionHolds(result) { reasons.insert(.failIf) }
    } catch let error as ConversionError {
      command.console.error(error.line(command.settings.text(.rates)))
      reasons.insert(.unusableInput)
    }
    try command.exit(reasons, after: result)
  }

  /// Says on standard error what a table alone does not show.
  private func noteStates(_ result: RunResult, _ command: RunCommand) {
    if result.days.count(.missing) > 0 {
      command.console.note("note: \(result.missingDaysText); subreport check says which")
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
  fileprivate func inMonths(_ months: ClosedRange<Month>?) -> ReportTable {
    guard let months, let index = columns.firstIndex(where: { $0.name == "month" }) else {
      return self
    }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index], let month = Month(text) else { return false }
      return months.contains(month)
    }
    return table
  }
}

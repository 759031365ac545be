import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// Prints a table of receipts with one row per customer, chain or period.
///
/// Its rows are personal, so the table is made only on request, and names customers only with `--no-anonymize`.
struct CustomerTableCommand {
  let name: String
  let settings: Settings
  let options: CustomerOptions
  let kind: CustomerTable.Kind

  func run() throws {
    let command = try RunCommand(settings, defaultViews: [[]], alwaysWhole: false)
    let format = try command.settings.format()
    var plan = command.plan
    plan.sources = [.receipts]
    plan.readsFinance = false
    plan.receipts.customerTable = CustomerTable(kind, naming: try naming(command.settings))
    try command.refuseInput(as: options.output.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard var table = result.customerTable else {
      command.console.error("\(NeededInput([.receipts]).sentence(name, result)) [no-input]")
      return try command.exit(reasons.union([.unusableInput]))
    }
    table = try filtered(table, command.settings, result.plan.filters)
    if table.rows.isEmpty { command.console.note("note: no rows for these filters") }
    guard try !command.isForbidden(name, reasons) else {
      return try command.exit(reasons)
    }
    let isColored = try command.settings.isColored(descriptor: 1)
    let bytes = TableRenderer(format, style: .init(isColored: isColored)).bytes(of: table)
    reasons.formUnion(try command.print(bytes, to: options.output.output))
    try command.exit(reasons)
  }

  /// Keeps the rows that pass the filters; a filter on a column that the table lacks is an error.
  private func filtered(
    _ table: ReportTable, _ settings: Settings, _ filters: RunPlan.Filters
  ) throws(UsageError) -> ReportTable {
    var table = table
    let byColumn: [(SettingKey, [String])] = [
      (.app, filters.apps), (.group, filters.groups), (.product, filters.products),
      (.country, filters.countries.map { $0.uppercased() }),
    ]
    for (key, values) in byColumn where !values.isEmpty {
      guard let column = table.columns.firstIndex(where: { $0.name == key.rawValue }) else {
        throw UsageError("\(settings.origin(key)): \(name) has no column \(key.rawValue)")
      }
      let admitted = Set(values.map { ReportTable.Cell.text($0) })
      table.rows = table.rows.filter { admitted.contains($0[column]) }
    }
    return table
  }

  private func naming(_ settings: Settings) throws(UsageError) -> CustomerTable.Naming {
    if options.naming.noAnonymize { return .clear }
    if let key = settings.text(.anonymizeKey) { return .anonymous(key: key) }
    throw UsageError(
      "\(name) has rows of single customers; give --no-anonymize, or a secret in SUBREPORT_ANONYMIZE_KEY or [anonymize] key of subreport.toml"
    )
  }
}

import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// `subreport price-impact`.
struct PriceImpactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "price-impact",
    abstract: "What price increases did: who met them, who stayed, and was it worth it.",
    discussion: """
      Finds the increases of standard prices in the charges themselves, or takes those of \
      --price-changes. One row per increase: who met it at a renewal (exposed, reached), what they did, \
      the renewals lost to it compared with those who met no change (excess_churn with its 95 % interval \
      and a verdict), and the money. --by start_month, tenure or offer splits each row. Printed as a table \
      or as Markdown it is cut to the columns that fit; all are in csv and json.

      With --plan instead: whom planned prices would meet, week by week. See subreport metrics -f md.
      """)

  @OptionGroup var options: SharedOptions

  /// What people look at first; the other columns are for programs.
  private static let mainColumns: Set = [
    "source", "product", "country", "currency", "effective", "old_price", "new_price",
    "start_month",
    "tenure", "offer", "exposed", "reached", "renewal_rate", "baseline_rate", "excess_churn",
    "excess_low", "excess_high", "verdict", "break_even_loss", "net_effect", "state",
  ]

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    try refuseWhatDoesNothing()
    let command = try RunCommand(options, defaultViews: [], alwaysWhole: false, readsViews: false)
    let views = try views()
    let format = try command.settings.format()
    guard format != .json || views.count == 1 else {
      throw UsageError(
        "--by: the format json is one array, so it takes one view and not \(views.count); use -f jsonl"
      )
    }
    var plan = command.plan
    plan.prices = try command.settings.prices()
    plan.readsFinance = false
    plan.sources.formIntersection([.receipts, .subscribers])
    try command.refuseInput(as: options.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard result.hasUsableInput else {
      let needed = NeededInput([.receipts, .subscribers])
      command.console.error("\(needed.sentence("price-impact", result)) [no-input]")
      return try command.exit(reasons.union([.unusableInput]))
    }
    guard try !command.isForbidden("price-impact", reasons) else {
      return try command.exit(reasons)
    }
    let bytes = try bytes(tables(result, views), format, command)
    for line in result.instalmentNotes { command.console.note("note: \(line)") }
    if result.planReport == nil { noteChanges(result, command.console) }
    reasons.formUnion(try command.print(bytes, to: options.output))
    try command.exit(reasons)
  }

  /// Refuses options of tables that count by month.
  private func refuseWhatDoesNothing() throws(UsageError) {
    let given: [(String, Bool)] = [
      ("--fail-if", !options.failIf.isEmpty), ("--currency", options.currency != nil),
    ]
    guard let (name, _) = given.first(where: \.1) else { return }
    throw UsageError(
      "\(name) is no option of price-impact, which has a row for each increase and none for a month"
    )
  }

  /// The views that the command line asks for; those of the config file are of other tables.
  private func views() throws(UsageError) -> [ImpactView] {
    var views: [ImpactView] = []
    for text in options.by {
      guard let view = ImpactView(rawValue: text), view != .whole else {
        throw UsageError("--by \(text): price-impact knows start_month, tenure and offer")
      }
      if !views.contains(view) { views.append(view) }
    }
    return views.isEmpty ? [.whole] : views
  }

  private func tables(_ result: RunResult, _ views: [ImpactView]) -> [ReportTable] {
    if let plan = result.planTable { return [plan] }
    let maker = result.tableMaker()
    return views.map { maker.priceImpactTable(view: $0) }
  }

  private func bytes(
    _ tables: [ReportTable], _ format: OutputFormat, _ command: RunCommand
  ) throws -> [UInt8] {
    let style = TableRenderer.TerminalStyle(
      isColored: try command.settings.isColored(descriptor: 1))
    let isCut = { (table: ReportTable) in
      (format == .table || format == .md) && table.name == PriceTable.impact.rawValue
    }
    var bytes: [UInt8] = []
    for (index, table) in tables.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
      let shown = isCut(table) ? table.keeping(columns: Self.mainColumns) : table
      TableRenderer(format, style: style).append(shown, to: &bytes)
    }
    return bytes
  }

  /// Says which changes of prices have no row.
  private func noteChanges(_ result: RunResult, _ console: Console) {
    let changes = result.sources.flatMap(\.priceChanges).filter(\.isAdmitted)
    let others = changes.filter { $0.kind != .increase }
    if others.count == changes.count { console.note("note: no price increase was found") }
    guard !others.isEmpty else { return }
    let counts = PriceChange.Kind.allCases.compactMap { kind -> String? in
      let count = others.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    console.note(
      "note: other changes of prices: \(counts.joined(separator: ", ")); report lists them in price_changes.csv"
    )
  }
}

extension ReportTable {
  /// Returns the table without its other columns.
  fileprivate func keeping(columns names: Set<String>) -> ReportTable {
    let kept = columns.indices.filter { names.contains(columns[$0].name) }
    return ReportTable(
      name: name, dimensions: dimensions, columns: kept.map { columns[$0] },
      rows: rows.map { row in kept.map { row[$0] } })
  }
}

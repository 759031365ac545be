import Counting
package import Pipeline
import PriceImpact
import Rendering
import Settlement
import SubscriptionModel
import Tables

/// The commands that print the numbers of a figure, with the inputs and options of the run that decide numbers.
package struct PageCommand: Sendable {
  private let given: GivenOptions

  /// Creates the commands of a run or of one app; without a command line, the folder `reports` stands for its inputs.
  package init(_ plan: RunPlan, app: String? = nil) {
    var given = plan.given ?? GivenOptions(inputs: ["reports"], options: Self.options(plan))
    if let app {
      given.options.removeAll { $0.name == "--app" }
      given.options.insert(GivenOptions.Option("--app", [app], commands: Self.counting), at: 0)
    }
    self.given = given
  }

  /// Creates the commands with inputs and options.
  package init(_ given: GivenOptions) { self.given = given }

  /// The commands on a page whose rows can be filtered.
  private static let counting = Set(
    TableKind.allCases.map(\.rawValue) + ["drivers", "explain", "price-impact", "check"])

  private static func options(_ plan: RunPlan) -> [GivenOptions.Option] {
    let filters = plan.filters
    let lists: [(String, [String])] = [
      ("--app", filters.apps), ("--group", filters.groups), ("--product", filters.products),
      ("--country", filters.countries), ("--billing-plan", filters.billingPlans),
      ("--contingent", filters.contingent), ("--vendor", filters.vendors),
    ]
    var options = lists.filter { !$0.1.isEmpty }.map { name, values in
      GivenOptions.Option(name, values, commands: counting)
    }
    if let asOf = plan.asOf {
      options.append(GivenOptions.Option("--as-of", [asOf.description], commands: counting))
    }
    if plan.monthSystem == .fiscal {
      options.append(GivenOptions.Option("--fiscal", [], commands: counting))
    }
    return options
  }

  /// Returns a command line, such as `subreport churn reports --source events --all-months --country DE`.
  ///
  /// `cell` is what `explain` is to explain, such as `churn.churned`. A source among `words` stands for those of the
  /// run.
  package func line(_ name: String, of cell: String = "", _ words: String = "") -> String {
    let hasSource = words.hasPrefix("--source ")
    // Of all explained numbers, only those of price increases depend on the stated ones.
    let isOfIncreases = name == "explain" && cell.hasPrefix(PriceTable.impact.rawValue)
    let options = given.options.filter { option in
      let isTaken =
        option.name == Self.statedIncreases && name == "explain"
        ? isOfIncreases : option.commands.contains(name)
      return isTaken && !(hasSource && option.name == "--source")
    }
    let written = options.flatMap { option in
      option.values.isEmpty
        ? [option.name] : option.values.map { "\(option.name) \(ShellWord.quoted($0))" }
    }
    let all = ["subreport", name, cell] + given.inputs.map(ShellWord.quoted) + [words] + written
    return all.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static let statedIncreases = "--price-changes"

  /// Returns the option that chooses a row of a table, such as ` --where country=DE`.
  fileprivate static func condition(_ key: String, _ value: String) -> String {
    " --where \(key)=\(ShellWord.quoted(value))"
  }
}

extension PageContent {
  /// The column whose contributions explain the main number of a section; the first that is known.
  private static let mainColumns: [TableKind: [String]] = [
    .movement: ["close_observed", "close"], .churn: ["churned"], .renewals: ["renewal_rate"],
    .trials: ["conversion_rate", "converted"], .refunds: ["refund_rate"],
    .proceeds: ["net_proceeds"], .commitments: ["remaining_price", "remaining", "running"],
  ]

  /// Returns such as `subreport explain churn.churned reports --source events --month 2026-09` for a section's main
  /// number; `nil` where `explain` cannot explain it.
  func explainCommand(
    _ kind: TableKind, _ source: Source, month: Month? = nil
  ) -> String? {
    guard let month = (month ?? headlines?.month).map(months.name),
      let whole = tables.whole(kind)
    else { return nil }
    let ofMonth = whole.filtered("source") { $0 == source.rawValue }
      .filtered("month") { $0 == month }.filtered("dating") { $0 == "sale" }
    let hasCurrencies = whole.columns.contains { $0.name == "currency" }
    let currency = hasCurrencies ? ofMonth.mainCurrencies(limit: 1).first : nil
    let row = ofMonth.namedRows.first { row in
      currency.map { $0 == row.text("currency") } ?? true
    }
    let column = Self.mainColumns[kind]?.first { name in
      ColumnMakeup.of(name, in: kind, from: source) != nil
        && row.map { $0.cell(name) != .missing && Self.isKnown(name, $0) } ?? false
    }
    guard let column else { return nil }
    var words = "--source \(source.rawValue) --month \(month)"
    if kind == .refunds { words += " --where dating=sale" }
    if let currency { words += PageCommand.condition("currency", currency) }
    return PageCommand(result.plan, app: appID)
      .line("explain", of: "\(kind.rawValue).\(column)", words)
  }

  /// Returns whether a row counts anything in a column: `remaining` leaves out terms that began before the data.
  private static func isKnown(_ column: String, _ row: ReportTable.NamedRow) -> Bool {
    guard column.hasPrefix("remaining"), let unknown = row["position_unknown"] else { return true }
    return (row["running"] ?? 0) > unknown
  }

  // MARK: Settlements

  /// Returns the command that lists the rows behind a settlement period: what nothing explains, else a settled share.
  ///
  /// Such as `subreport explain reconcile.amount reports --month FY2026-P11 --where region=US --where currency=USD
  /// --where line=finance_share`.
  func explainBridge(_ period: FiscalPeriod) -> String? {
    guard let finance else { return nil }
    let open = finance.verdicts.first {
      $0.verdict == .unreconciled && $0.bridge.period == period
        && $0.bridge.amount(of: .unexplainedSales) ?? 0 != 0
    }
    let settled = finance.reconciliation.bridges.first {
      $0.period == period && $0.amount(of: .financeShare) != nil
    }
    guard let bridge = open?.bridge ?? settled else { return nil }
    let line: Bridge.Line = open == nil ? .financeShare : .unexplainedSales
    let words =
      "--month \(period)" + PageCommand.condition("region", bridge.region)
      + PageCommand.condition("currency", finance.names.text(bridge.currency))
      + PageCommand.condition("line", line.name)
    return PageCommand(result.plan).line("explain", of: "reconcile.amount", words)
  }

  // MARK: Rows without a month

  /// Returns the command that explains the first number of a retention curve, which `keys` choose.
  ///
  /// Such as `subreport explain retention.survival reports --source subscribers --where duration='1 Month' --where
  /// k=1`.
  func explainRetention(
    _ curve: ReportTable, _ source: Source, where keys: [(name: String, value: String)]
  ) -> String? {
    let column = "survival"
    let row = curve.namedRows.first { $0.cell(column) != .missing }
    guard ColumnMakeup.of(column, in: .retention, from: source) != nil, let k = row?["k"],
      keys.allSatisfy({ !$0.value.isEmpty })
    else { return nil }
    let conditions = keys.map { PageCommand.condition($0.name, $0.value) }.joined()
    let words = "--source \(source.rawValue)\(conditions)\(PageCommand.condition("k", "\(k)"))"
    return PageCommand(result.plan, app: appID).line("explain", of: "retention.\(column)", words)
  }

  /// Returns the command that lists what a value adds to the change of a number.
  ///
  /// Example: `subreport explain drivers.total reports --source events --month 2026-09 --where measure=churn_rate
  /// --where dimension=country --where value=US`.
  func explainCommand(_ driver: Driver) -> String? {
    guard let month = headlines?.month, driver.against == month - 1, Self.isExplained(driver),
      // `explain` converts no money.
      driver.currency.isEmpty || target == nil
    else { return nil }
    var words = "--source \(driver.source.rawValue) --month \(months.name(month))"
    words += PageCommand.condition("measure", driver.headline.rawValue)
    if !driver.currency.isEmpty { words += PageCommand.condition("currency", driver.currency) }
    if let split = driver.split {
      words += PageCommand.condition("dimension", split.rawValue)
      words += PageCommand.condition("value", driver.value)
    }
    return PageCommand(result.plan).line("explain", of: "drivers.total", words)
  }

  /// Returns whether `explain drivers` lists the contributions to a row.
  private static func isExplained(_ driver: Driver) -> Bool {
    guard driver.value != HeadlineMaker.notInView, driver.total != .missing else { return false }
    let (kind, source) = (driver.headline.table, driver.source)
    let makeup = { (name: String) in ColumnMakeup.of(name, in: kind, from: source) }
    if let ratio = driver.headline.ratio {
      return [ratio.numerator, ratio.denominator].allSatisfy { makeup($0)?.sum != nil }
    }
    return driver.headline.comparedColumn.flatMap(makeup) != nil
  }

  /// Returns the command that explains a number of a price increase; `nil` for an empty number.
  ///
  /// Such as `subreport explain price_impact.excess_churn reports --source subscribers --where product='Pro Monthly'
  /// --where country=US --where effective=2026-05-26`.
  func explainCommand(_ impact: PriceImpact, _ column: String) -> String? {
    guard [.subscribers, .receipts].contains(impact.source), let prices else { return nil }
    let maker = result.priceTableMaker
    let columns = PriceTable.impact.allColumns.map(\.column)
    let own = prices.impacts.filter {
      $0.source == impact.source && $0.product == impact.product
    }
    let table = ReportTable(
      name: PriceTable.impact.rawValue, dimensions: [], columns: columns,
      rows: [maker.cells(of: impact)] + own.map(maker.cells))
    guard let row = table.namedRows.first, row.cell(column) != .missing else { return nil }
    var (words, others) = ("", Array(table.namedRows.dropFirst()))
    for (place, key) in Self.keysOfIncreases.enumerated() {
      let isUsual = place < Self.usualKeys
      guard isUsual || others.count > 1 else { break }
      let value = Self.text(row.cell(key))
      let same = others.filter { Self.text($0.cell(key)) == value }
      if isUsual || same.count < others.count { words += PageCommand.condition(key, value) }
      others = same
    }
    return PageCommand(result.plan).line(
      "explain", of: "\(table.name).\(column)", "--source \(impact.source.rawValue)\(words)")
  }

  /// Returns the command that explains what an increase changed: the excess churn, where it is known; else the renewal
  /// rate; else the subscriptions that met the increase.
  func explainComparison(_ impact: PriceImpact) -> String? {
    ["observed_loss", "excess_churn", "renewal_rate", "reached"].lazy.compactMap { column in
      explainCommand(impact, column)
    }.first
  }

  /// The columns that choose a row of `price_impact`; the first ones are always named, others where they are needed.
  private static let keysOfIncreases = [
    "product", "country", "effective", "currency", "plan", "effective_existing", "old_price",
    "new_price",
  ]
  private static let usualKeys = 3

  /// Returns a value as `--where` has it.
  private static func text(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .text(let text): text
    case .money(let milliunits): NumberStyle.money(milliunits: milliunits)
    default: ""
    }
  }
}

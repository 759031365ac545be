package import Pipeline
package import SubscriptionModel
package import Tables

/// The commands that print the numbers of a figure, with the inputs and options of the run that decide numbers.
package struct PageCommand: Sendable {
  private let given: GivenOptions

  /// Creates the commands of a run.
  ///
  /// - Parameters:
  ///   - plan: The plan of the run. Without a command line, the folder `reports` stands for its inputs.
  ///   - app: The id of the app of the page; `nil` for all apps.
  package init(_ plan: RunPlan, app: String? = nil) {
    var given = plan.given ?? GivenOptions(inputs: ["reports"], options: Self.options(plan))
    if let app {
      given.options.removeAll { $0.name == "--app" }
      given.options.insert(GivenOptions.Option("--app", [app], commands: Self.counting), at: 0)
    }
    self.given = given
  }

  /// The commands on a page whose rows can be filtered.
  private static let counting = Set(
    TableKind.allCases.map(\.rawValue) + ["drivers", "explain", "price-impact", "check"])

  /// Returns the options of a plan without a command line.
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

  /// Returns a command line.
  ///
  /// - Parameters:
  ///   - name: The command, such as `churn`.
  ///   - cell: What `explain` is to explain, such as `churn.churned`; blank for other commands.
  ///   - words: Its own options; a source among them stands for those of the run.
  /// - Returns: Such as `subreport churn reports --source events --all-months --country DE`.
  package func line(_ name: String, of cell: String = "", _ words: String = "") -> String {
    let hasSource = words.hasPrefix("--source ")
    let options = given.options.filter { option in
      option.commands.contains(name) && !(hasSource && option.name == "--source")
    }
    let written = options.flatMap { option in
      option.values.isEmpty
        ? [option.name] : option.values.map { "\(option.name) \(Self.quoted($0))" }
    }
    let all = ["subreport", name, cell] + given.inputs.map(Self.quoted) + [words] + written
    return all.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns a word as a shell reads it.
  ///
  /// Quotes are found among bytes: one followed by a combining mark would hide from a search for characters.
  fileprivate static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    if isPlain, !word.isEmpty { return word }
    let quote = UInt8(ascii: "'")
    let inside = word.utf8.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
    return "'" + String(decoding: inside, as: UTF8.self) + "'"
  }
}

extension PageContent {
  /// The column whose contributions explain the main number of a section; the first that is known.
  private static let mainColumns: [TableKind: [String]] = [
    .movement: ["close"], .churn: ["churned"], .renewals: ["renewal_rate"],
    .trials: ["conversion_rate", "converted"], .refunds: ["refund_rate"],
    .proceeds: ["net_proceeds"],
  ]

  /// Returns the command that lists what a section's main number of the headline month is made of.
  ///
  /// Example: `subreport explain churn.churned reports --source events --month 2026-09`.
  ///
  /// - Parameters:
  ///   - kind: The table of the section.
  ///   - source: The source of its rows.
  ///   - currency: The currency; `nil` for that with most charges, or for a table without currencies.
  ///   - appID: The id of the app of the page; `nil` for all apps.
  /// - Returns: The command; `nil` where `explain` cannot explain the number, or where it is not known.
  package func explainCommand(
    _ kind: TableKind, _ source: Source, currency: String? = nil, appID: String? = nil
  ) -> String? {
    guard let month = headlines.map({ months.name($0.month) }),
      let whole = tables[kind]?.first(where: \.dimensions.isEmpty),
      monthWithoutRows(kind, source).isEmpty
    else { return nil }
    let ofMonth = whole.filtered("source") { $0 == source.rawValue }
      .filtered("month") { $0 == month }.filtered("dating") { $0 == "sale" }
    let hasCurrencies = whole.columns.contains { $0.name == "currency" }
    let currency = hasCurrencies ? currency ?? ofMonth.mainCurrencies(limit: 1).first : nil
    let row = ofMonth.namedRows.first { row in
      currency.map { $0 == row.text("currency") } ?? true
    }
    let column = Self.mainColumns[kind]?.first { name in
      ColumnMakeup.of(name, in: kind, from: source) != nil
        && row.map { $0.cell(name) != .missing } ?? false
    }
    guard let column else { return nil }
    var words = "--source \(source.rawValue) --month \(month)"
    if kind == .refunds { words += " --where dating=sale" }
    if let currency { words += " --where currency=\(PageCommand.quoted(currency))" }
    let command = PageCommand(result.plan, app: appID)
    return command.line("explain", of: "\(kind.rawValue).\(column)", words)
  }
}

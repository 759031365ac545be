import ArgumentParser
import Glibc
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

extension Settings {
  /// Judges every value that can be judged without reading a report.
  ///
  /// - Throws: `UsageError` for a value that is none.
  func validate() throws(UsageError) {
    for key in SettingKey.allCases where key.shape == .flag { _ = try flag(key) }
    for text in list(.by) where ImpactView(rawValue: text) == nil { _ = try view(text) }
    _ = try sources()
    _ = try jobs()
    _ = try asOf()
    try validateReceipts()
    _ = try consentRules()
    _ = try format()
    _ = try maxRejects()
    _ = try tolerance()
    _ = try journalAccounts()
    _ = try conditions()
    _ = try isColored(descriptor: 1)
    if text(.currency) == nil, isOnCommandLine(.rates) {
      throw UsageError("--rates: found no --currency, expected the currency to convert to")
    }
    if text(.currency) != nil, text(.rates) == nil {
      throw UsageError("\(origin(.currency)): found no --rates, expected a file of exchange rates")
    }
  }

  /// The plan of a run.
  ///
  /// - Parameters:
  ///   - defaultViews: The views when none are asked for.
  ///   - alwaysWhole: Whether the whole population is always one of the views.
  ///   - readsViews: Whether the views that are asked for are those of tables that count.
  /// - Returns: The plan.
  /// - Throws: `UsageError` for a value that is none, `InputFailure` for a file that cannot be used.
  func plan(
    defaultViews: [[Dimension]], alwaysWhole: Bool, readsViews: Bool = true
  ) throws -> RunPlan {
    let inputs = list(.inputs)
    guard !inputs.isEmpty else {
      throw UsageError("found no input, expected files or folders (or inputs in subreport.toml)")
    }
    var views: [[Dimension]] = []
    for text in readsViews ? list(.by) : [] {
      let view = try view(text)
      if !views.contains(view) { views.append(view) }
    }
    if views.isEmpty { views = defaultViews }
    if alwaysWhole, !views.contains([]) { views.insert([], at: 0) }
    var plan = RunPlan(
      inputs: inputs, views: views, sources: try sources(), jobs: try jobs())
    plan.filters.apps = list(.app)
    plan.filters.groups = list(.group)
    plan.filters.products = list(.product)
    plan.filters.countries = list(.country)
    plan.filters.vendors = list(.vendor)
    plan.asOf = try asOf()
    plan.monthSystem = try monthSystem()
    plan.financeRegions = try regions()
    plan.receipts = try receiptPlan()
    return plan
  }

  /// What a month is.
  func monthSystem() throws(UsageError) -> MonthSystem {
    try flag(.fiscal) ? .fiscal : .calendar
  }

  /// The regions of finance files: the user's, else Apple's.
  private func regions() throws -> FinanceRegions {
    guard let path = text(.regions) else { return .apple }
    guard let text = readText(path) else {
      throw InputFailure(
        "\(path): error: found no readable file, expected CSV region_code,payments_name,currency,valid_from,countries [cannot-open]"
      )
    }
    do {
      return try RegionsFile.read(text, path: path)
    } catch {
      throw InputFailure(error.message)
    }
  }

  private func asOf() throws(UsageError) -> Day? {
    guard let text = text(.asOf) else { return nil }
    guard let day = Day(text) ?? Instant(text)?.day else {
      throw UsageError("\(origin(.asOf)): found \"\(text)\", expected a day such as 2026-09-30")
    }
    return day
  }

  /// As-of for receipts: the end of a day, or an instant as it is.
  func asOfInstant() throws(UsageError) -> Instant? {
    guard let day = try asOf(), let text = text(.asOf) else { return nil }
    return Instant(text) ?? Instant(startOf: day).map { $0 + 86_399 }
  }

  /// How many rejected rows are put up with.
  func maxRejects() throws(UsageError) -> Int { try whole(.maxRejects, atLeast: 0) ?? 0 }

  private func view(_ text: String) throws(UsageError) -> [Dimension] {
    var view: [Dimension] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let dimension = Dimension(rawValue: String(name)) else {
        let known = Dimension.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(origin(.by)): found \"\(name)\", expected one of \(known)")
      }
      guard !view.contains(dimension) else {
        throw UsageError("\(origin(.by)): found \"\(name)\" twice in one view")
      }
      view.append(dimension)
    }
    return view
  }

  private func sources() throws(UsageError) -> Set<Source> {
    var sources: Set<Source> = []
    for name in list(.source) {
      guard let source = Source(rawValue: name) else {
        let known = Source.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(origin(.source)): found \"\(name)\", expected one of \(known)")
      }
      sources.insert(source)
    }
    return sources.isEmpty ? Set(Source.allCases) : sources
  }

  private func jobs() throws(UsageError) -> Int {
    try whole(.jobs, atLeast: 1) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// The format to print in: asked for, told by the output's name, or what suits standard output.
  func format() throws(UsageError) -> OutputFormat {
    if let text = text(.format) {
      guard let format = OutputFormat(rawValue: text) else {
        let known = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(origin(.format)): found \"\(text)\", expected one of \(known)")
      }
      return format
    }
    if let path = text(.output) {
      let name = path.split(separator: "/").last ?? ""
      let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
      return ending.flatMap { OutputFormat(fileExtension: String($0)) } ?? .csv
    }
    return isatty(1) == 1 ? .table : .csv
  }

  /// The conditions of `--fail-if`.
  func conditions() throws(UsageError) -> [Condition] {
    var conditions: [Condition] = []
    for text in list(.failIf) {
      guard let condition = Condition(text) else {
        throw UsageError("\(origin(.failIf)): \(Self.fault(ofCondition: text))")
      }
      conditions.append(condition)
    }
    return conditions
  }

  /// Says what is wrong with a condition: its column, or its form.
  private static func fault(ofCondition text: String) -> String {
    let column = text.prefix { !"<>=!".contains($0) }
    guard !column.isEmpty, Condition("churn_rate" + text.dropFirst(column.count)) != nil else {
      return
        "found \"\(text)\", expected a column, a comparison and a number such as churn_rate>0.08"
    }
    let name = column.filter { $0 != " " }
    let table = TableKind.allCases.first { name.hasPrefix($0.rawValue + ".") }
    let columns =
      table.map { kind in
        Definition.definition(of: kind).columns.map(\.column).filter {
          $0.kind != .text && $0.kind != .key
        }
        .map { "\(kind.rawValue).\($0.name)" }
      } ?? ["active_start", "churned", "churn_rate", "renewal_rate", "refund_rate"]
    return
      "found no column \"\(name)\", expected one such as \(columns.prefix(5).joined(separator: ", ")); subreport metrics has all"
  }

  /// The exchange rates, `nil` when no conversion is asked for.
  ///
  /// - Throws: `InputFailure` for a file that cannot be used.
  func conversion() throws -> CurrencyConversion? {
    guard let currency = text(.currency) else { return nil }
    guard let path = text(.rates) else { return nil }
    guard let text = readText(path) else {
      throw InputFailure(
        "\(path): error: found no readable file, expected CSV date,from,to,rate [cannot-open]")
    }
    let monthSystem = try monthSystem()
    do {
      var conversion = try RatesFile.read(text, path: path, target: currency)
      conversion.monthSystem = monthSystem
      return conversion
    } catch {
      throw InputFailure(error.message)
    }
  }

  /// What to find out about prices.
  ///
  /// - Throws: `InputFailure` for a file that cannot be used.
  func prices() throws -> PricePlan {
    var plan = PricePlan()
    if let path = text(.priceChanges) { plan.increases = try prices(.changes, path) }
    if let path = text(.plan) { plan.planned = try prices(.plan, path) }
    plan.consent = try consentRules()
    return plan
  }

  /// The public rules of consent, and those of the config file over them.
  private func consentRules() throws(UsageError) -> ConsentRules {
    var rules = ConsentRules.shipped
    for (country, text) in consent {
      guard let rule = ConsentRules.Rule(text) else {
        throw UsageError(
          "[consent] \(country): found \"\(text)\", expected currency, percentage and two amounts such as USD 50 5.00 50.00"
        )
      }
      rules.rules[country] = rule
    }
    return rules
  }

  private func prices(_ file: PriceFile, _ path: String) throws -> [PricePlan.Row] {
    guard let text = readText(path) else {
      let columns = file.columns.joined(separator: ",")
      throw InputFailure(
        "\(path): error: found no readable file, expected CSV \(columns) [cannot-open]")
    }
    do {
      return try file.read(text, path: path)
    } catch {
      throw InputFailure(error.lines.joined(separator: "\n"))
    }
  }

  /// Whether to colour what goes to a stream.
  func isColored(descriptor: Int32) throws(UsageError) -> Bool {
    switch text(.color) ?? "auto" {
    case "always": return true
    case "never": return false
    case "auto": return isatty(descriptor) == 1 && Settings.environment("NO_COLOR") == nil
    case let other:
      throw UsageError("\(origin(.color)): found \"\(other)\", expected auto, always or never")
    }
  }
}

import ArgumentParser
import Files
import Pipeline
import PriceImpact
import Scanning
import Storage
import SubscriptionModel
import Tables

extension Settings {
  /// Checks every value that can be checked without reading a report.
  func validate() throws(UsageError) {
    for key in SettingKey.stored where key.setting.shape == .flag { _ = try flag(key) }
    for text in list(.by) { _ = try view(text) }
    _ = try sources()
    _ = try primary()
    _ = try jobs()
    _ = try asOf()
    _ = try through()
    try validateReceipts()
    _ = try consentRules()
    _ = try billingPlans()
    _ = try acceptedFaults()
    _ = try words(.billingPlan)
    _ = try words(.contingent)
    _ = try statedFormat()
    _ = try marks()
    _ = try maxRejects()
    _ = try tolerance()
    _ = try journalAccounts()
    _ = try conditions()
    _ = try isColored()
    if text(.currency) == nil, isOnCommandLine(.rates) {
      throw UsageError("--rates needs --currency, the currency to convert to")
    }
    try checkCurrency()
    if text(.currency) != nil, text(.rates) == nil {
      throw UsageError("\(origin(.currency)) needs --rates, a file of exchange rates")
    }
  }

  /// Refuses a currency that is no code of three capital letters.
  private func checkCurrency() throws(UsageError) {
    guard let code = text(.currency) else { return }
    let upper = code.uppercased()
    let isCode = upper.count == 3 && upper.allSatisfy { $0.isASCII && $0.isLetter }
    guard !isCode || upper != code else { return }
    let meant = Self.currencies[code.lowercased()] ?? (isCode ? upper : nil)
    let advice = meant.map { "did you mean \($0)?" } ?? "use a code such as EUR"
    throw UsageError("\(origin(.currency)) \(code): \(advice)")
  }

  /// Words and signs for currencies.
  private static let currencies = [
    "euro": "EUR", "€": "EUR", "dollar": "USD", "$": "USD", "us$": "USD", "yen": "JPY", "£": "GBP",
  ]

  func validateMachine() throws(UsageError) {
    for key in [SettingKey.quiet, .verbose, .progress] { _ = try flag(key) }
    _ = try jobs()
  }

  /// Returns the plan of a run.
  ///
  /// `defaultViews` are those if the user sets none; `alwaysWhole` adds the whole population. With `readsViews` the
  /// user's views are those of tables that count.
  func plan(
    defaultViews: [[Dimension]], alwaysWhole: Bool, readsViews: Bool = true
  ) throws -> RunPlan {
    let inputs = list(.inputs)
    guard !inputs.isEmpty else {
      throw UsageError("no input; name files or folders, or set inputs in subreport.toml")
    }
    var views: [[Dimension]] = []
    for text in readsViews ? list(.by) : [] {
      let view = try view(text)
      if !views.contains(view) { views.append(view) }
    }
    if views.isEmpty { views = defaultViews }
    if alwaysWhole, !views.contains([]) { views.insert([], at: 0) }
    var plan = RunPlan(inputs: inputs, views: views, sources: try sources(), jobs: try jobs())
    plan.primary = try primary()
    plan.title = text(.title)
    plan.filters.apps = list(.app)
    plan.filters.groups = list(.group)
    plan.filters.products = list(.product)
    plan.filters.countries = list(.country)
    plan.filters.vendors = list(.vendor)
    plan.filters.billingPlans = try words(.billingPlan)
    plan.filters.contingent = try words(.contingent)
    plan.billingPlans = try billingPlans()
    plan.accepted = try acceptedFaults()
    plan.asOf = try asOf()
    plan.through = try through()
    plan.monthSystem = try monthSystem()
    plan.financeRegions = try regions()
    plan.commissions = try commissions()
    plan.receipts = try receiptPlan()
    plan.given = given
    return plan
  }

  /// Returns the kind of months: calendar months, or fiscal periods.
  func monthSystem() throws(UsageError) -> MonthSystem {
    try flag(.fiscal) ? .fiscal : .calendar
  }

  /// Returns the regions of finance files: the user's, else Apple's.
  private func regions() throws -> FinanceRegions {
    guard let path = text(.regions) else { return .apple }
    let columns = RegionsFile.columns.joined(separator: ",")
    return try optionFiles.table(path, columns: columns, RegionsFile.read)
  }

  /// Returns the shares of a price that Apple pays: the shipped table with the user's rows.
  private func commissions() throws -> Commissions {
    guard let path = text(.commissions) else { return .shipped }
    let columns = CommissionsFile.columns.joined(separator: ",")
    return try optionFiles.table(path, columns: columns, CommissionsFile.read)
  }

  private func asOf() throws(UsageError) -> Day? {
    guard let text = text(.asOf) else { return nil }
    guard let day = Day(text) ?? Instant(text)?.day else {
      throw UsageError("\(origin(.asOf)) \(text): use a day such as 2026-09-30")
    }
    return day
  }

  private func through() throws(UsageError) -> Day? {
    guard let text = text(.through) else { return nil }
    guard let day = Day(text) else {
      throw UsageError("\(origin(.through)) \(text): use a day such as 2026-09-30, or yesterday")
    }
    return day
  }

  /// Returns as-of for receipts: the last second of a day, or a given instant.
  func asOfInstant() throws(UsageError) -> Instant? {
    guard let day = try asOf(), let text = text(.asOf) else { return nil }
    return Instant(text) ?? Instant(endOf: day)
  }

  /// Returns the number of rejected rows that is tolerated.
  func maxRejects() throws(UsageError) -> Int { try whole(.maxRejects, atLeast: 0) ?? 0 }

  private func view(_ text: String) throws(UsageError) -> [Dimension] {
    var view: [Dimension] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let dimension = Dimension(rawValue: String(name)) else {
        throw unknownView(text, unknown: String(name))
      }
      guard !view.contains(dimension) else {
        throw UsageError("\(origin(.by)) \(text): the view names \(name) twice")
      }
      view.append(dimension)
    }
    return view
  }

  /// Words of others for a dimension.
  private static let otherDimensions = [
    "cohort": "start_month", "region": "country", "sku": "product", "storefront": "country",
    "territory": "country", "plan_type": "plan", "platform": "device", "subscription": "product",
  ]

  /// Returns the error for a view with an unknown dimension.
  ///
  /// Names of files have a hyphen: for `country-product` the message asks "did you mean country,product?".
  private func unknownView(_ text: String, unknown name: String) -> UsageError {
    let dimensions = SettingKey.by.setting.words
    if ["month", "months", "period"].contains(name) {
      return UsageError(
        "\(origin(.by)): \(name) is no dimension, because every table has rows by month; --last 6 prints six"
      )
    }
    if let meant = Self.otherDimensions[name] {
      return UsageError("\(origin(.by)): no dimension \"\(name)\"; did you mean \"\(meant)\"?")
    }
    let parts = text.split { !$0.isLetter && $0 != "_" }.map(String.init)
    let meant = parts.compactMap { part in
      dimensions.contains(part) ? part : Nearest.words(to: part, among: dimensions).first
    }
    guard parts.count > 1, meant.count == parts.count else {
      return unknown("dimension", name, .by)
    }
    return UsageError(
      "\(origin(.by)): no dimension \"\(name)\"; did you mean \"\(meant.joined(separator: ","))\"?")
  }

  private func sources() throws(UsageError) -> Set<Source> {
    var sources: Set<Source> = []
    for name in list(.source) {
      if name == "snapshot" {
        throw UsageError(
          "\(origin(.source)): rows of source snapshot are made from SUBSCRIPTION reports, which are read with events: use events"
        )
      }
      sources.insert(try value("source", name, .source))
    }
    return sources.isEmpty ? Set(Source.allCases) : sources
  }

  /// Returns the source that headlines prefer.
  private func primary() throws(UsageError) -> Source? {
    guard let text = text(.primary) else { return nil }
    guard let source = HeadlineMaker.possibleSources.first(where: { $0.rawValue == text }) else {
      throw unknown("primary source", text, .primary)
    }
    return source
  }

  /// Returns the values of a setting that allows only certain words.
  private func words(_ key: SettingKey) throws(UsageError) -> [String] {
    for text in list(key) where !key.setting.words.contains(text) {
      throw unknown(key.rawValue.replacing("_", with: " "), text, key)
    }
    return list(key)
  }

  /// Returns how customers pay for products of one year, by product name or id.
  private func billingPlans() throws(UsageError) -> [ExactText: BillingPlanRule] {
    let use = #""upfront", "commitment" or the prices of instalments, such as ["9.99 USD"]"#
    return try table(.plans, of: "plan", use: use) { text -> BillingPlanRule? in
      switch text {
      case "upfront": return .only(.upfront)
      case "commitment": return .only(.commitment)
      default:
        let prices = text.split(separator: ConfigFile.separator).map(String.init)
        let arePrices = !prices.isEmpty && prices.allSatisfy(Self.isPrice)
        return arePrices ? .instalmentPrices(prices) : nil
      }
    }
  }

  /// Returns the faults of the input that the user accepts.
  func acceptedFaults() throws(UsageError) -> AcceptedFaults {
    var accepted = AcceptedFaults()
    for (key, value) in entries(.accept) {
      guard let fault = AcceptedFaults.Fault(rawValue: key) else {
        let advice = Nearest.advice(key, among: AcceptedFaults.Fault.allCases.map(\.rawValue))
        throw UsageError("\(value.place): [accept] \(printable(key)): no such fault; \(advice)")
      }
      for text in value.text.split(separator: ConfigFile.separator) {
        do throws(AcceptedFaults.Failure) {
          try accepted.add(fault, String(text), at: value.place)
        } catch {
          throw UsageError("\(value.place): [accept] \(key): \(error.message)")
        }
      }
    }
    return accepted
  }

  /// Returns the values of a config table by key; `read` gives `nil` for a text that is no `noun`.
  func table<Content>(
    _ section: ConfigFile.Section, of noun: String, use example: String,
    _ read: (String) -> Content?
  ) throws(UsageError) -> [ExactText: Content] {
    var values: [ExactText: Content] = [:]
    for (key, text) in entries(section) {
      guard let value = read(text.text) else {
        throw UsageError(
          "\(text.place): [\(section.rawValue)] \(key): \"\(text.text)\" is no \(noun); use \(example)"
        )
      }
      values[key] = value
    }
    return values
  }

  private static func isPrice(_ text: String) -> Bool {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && Double(words[0]) != nil
      && words[1].count == 3 && words[1].allSatisfy { $0.isASCII && $0.isUppercase }
  }

  /// Returns the value that a text names; the error names all values.
  func value<Word: RawRepresentable<String>>(
    _ noun: String, _ text: String, _ key: SettingKey
  ) throws(UsageError) -> Word {
    guard let value = Word(rawValue: text) else { throw unknown(noun, text, key) }
    return value
  }

  /// Returns the error for a value that is none of the setting's words.
  func unknown(_ noun: String, _ text: String, _ key: SettingKey) -> UsageError {
    let advice = Nearest.advice(text, among: key.setting.words)
    return UsageError("\(origin(key)): no \(noun) \"\(text)\"; \(advice)")
  }

  private func jobs() throws(UsageError) -> Int {
    let wanted = try whole(.jobs, atLeast: 1) ?? Processors.count
    return min(wanted, AddressSpace.mostThreads ?? wanted)
  }

  /// Returns the conditions of `--fail-if` in their order; `table` is the one that the command prints, `nil` for all.
  func conditions(of table: TableKind? = nil) throws(UsageError) -> [Condition] {
    var conditions: [Condition] = []
    for text in list(.failIf) {
      do throws(Condition.Fault) {
        conditions.append(try Condition(text, of: table))
      } catch {
        throw UsageError("\(origin(.failIf)): \(Self.sentence(error, text))")
      }
    }
    return conditions
  }

  /// Returns the error message for a condition.
  private static func sentence(_ fault: Condition.Fault, _ text: String) -> String {
    switch fault {
    case .form:
      let percent = text.dropLast().drop { !$0.isNumber }
      if text.hasSuffix("%"), let number = Double(percent) {
        return "\"\(text)\": rates have no %; write \(number / 100) for \(percent) %"
      }
      return
        "\"\(text)\" is no condition; use a column, a comparison and a number, such as churn_rate>0.08, or 'churn_rate > 1.2 * previous' or 'churn_rate unusual'"
    case .column(let column):
      let name = column.filter { $0 != " " }
      let table = TableKind.allCases.first { name.hasPrefix($0.rawValue + ".") }
      let columns = (table.map { [$0] } ?? TableKind.allCases).flatMap { kind in
        Definition.definition(of: kind).columns.map(\.column)
          .filter { $0.kind != .text && $0.kind != .key }
          .map { table == nil ? $0.name : "\(kind.rawValue).\($0.name)" }
      }
      let near = Nearest.advice(name, among: columns, limit: 12)
      let advice = near.isEmpty ? "subreport metrics lists all" : near
      return "no column \"\(name)\"; \(advice)"
    case .source(let source, let table):
      let sources = Definition.definition(of: table).sourceNames.sorted()
      return
        "\"\(text)\": \(table.rawValue) is not made from \"\(source)\"; \(Nearest.advice(source, among: sources))"
    case .notUnusual(let rates):
      return "\"\(text)\": what is unusual is known of some rates; \(Nearest.choice(rates))"
    case .noMonths(let table):
      return "\"\(text)\": \(table.rawValue) has no month before; compare with a number"
    }
  }

  /// Returns the exchange rates; `nil` without a currency and rates.
  func conversion() throws -> CurrencyConversion? {
    guard let currency = text(.currency), let path = text(.rates) else { return nil }
    let columns = RatesFile.columns.joined(separator: ",")
    var conversion = try optionFiles.table(path, columns: columns) {
      (text, path) throws(TableError) in
      try RatesFile.read(text, path: path, target: currency)
    }
    conversion.monthSystem = try monthSystem()
    return conversion
  }

  /// Returns the user's price changes and planned prices, and the rules of consent.
  func prices() throws -> PricePlan {
    var plan = PricePlan()
    plan.increases = try prices(.priceChanges, .changes)
    plan.planned = try prices(.plan, .plan)
    plan.consent = try consentRules()
    return plan
  }

  /// Returns the public rules of consent, with those of the config file over them.
  private func consentRules() throws(UsageError) -> ConsentRules {
    var rules = ConsentRules.shipped
    let use = "currency, percentage and two amounts, such as USD 50 5.00 50.00"
    let own = try table(.consent, of: "rule", use: use) { ConsentRules.Rule($0) }
    for (country, rule) in own { rules.rules[country.text] = rule }
    return rules
  }

  private func prices(_ key: SettingKey, _ file: PriceFile) throws -> [PricePlan.Row] {
    guard let path = text(key) else { return [] }
    return try optionFiles.table(path, columns: file.columns.joined(separator: ","), file.read)
  }
}

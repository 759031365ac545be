import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The catalogue")
struct CatalogueTests {
  /// The columns that METRICS.md section 5 lists, with its keys, for the whole population.
  static let columns: [TableKind: String] = [
    .churn: """
    source, month, active_start, churned, churned_voluntary, churned_billing, churned_price, \
    churned_refund, churned_removed, churned_other, churned_unknown, churned_provisional, \
    churn_rate, low, high, state
    """,
    .renewals: """
    source, month, due, renewed, recovered, lapsed, pending, renewal_rate, low, high, state
    """,
    .lapses: """
    source, month, lapses, recovered, reactivated, open_final, open_provisional, \
    gap_days_median, gap_days_p90, state
    """,
    .refunds: """
    source, dating, month, currency, charges, refunds_full, refunds_partial, refund_rate, low, \
    high, gross_price, refunded_price, gross_proceeds, refunded_proceeds, state
    """,
    .retention: "source, k, at_risk, lost, kept, survival, low, high, state",
    .movement: """
    source, month, open, started, first_seen, converted, reactivated, recovered, switched_in, \
    churned, entered_retry, switched_out, close, close_observed, unexplained
    """,
    .proceeds: """
    source, month, currency, charges, gross_price, gross_proceeds, refunded_price, \
    refunded_proceeds, net_proceeds, effective_rate
    """,
    .trials: """
    source, month, trials, converted, not_converted, pending, conversion_rate, low, high, state
    """,
    .commitments: """
    source, month, currency, running, suspended, position_unknown, due, paid, recovered, \
    defaulted, pending, paid_rate, low, high, terms_started, terms_ended, terms_renewed, \
    remaining, remaining_price, remaining_proceeds, state
    """,
    .recurring: """
    source, basis, month, currency, active, open, new, first_seen, reactivated, recovered, \
    expansion_product, expansion_offer, expansion_price, switched_in, contraction_product, \
    contraction_offer, contraction_price, churned, entered_retry, switched_out, mrr, arr, arpu, \
    gross_churn_rate, net_churn_rate, state
    """,
    .lifetime: """
    source, basis, start_month, currency, months, started, paying, charges, gross, refunded, net, \
    net_per_start, state
    """,
    .status: """
    source, month, paid, standard, introductory, offers, free_trials, free_offers, grace, \
    billing_retry, suspended, unresolved, state
    """,
    .definitions: """
    source, month, measure, currency, tool, axis, numerator, denominator, value, change, state
    """,
  ]

  @Test(arguments: TableKind.allCases)
  func `has the columns of every table, in order`(kind: TableKind) {
    let names = Definition.definition(of: kind).columns(for: []).map(\.name)
    #expect(names.joined(separator: ", ") == Self.columns[kind])
  }

  @Test
  func `puts a view's dimensions behind the month and before the currency`() {
    let names = { (kind: TableKind) in
      Definition.definition(of: kind).columns(for: [.country, .product]).filter { $0.kind == .key }
        .map(\.name)
    }
    #expect(names(.churn) == ["source", "month", "country", "product"])
    #expect(names(.refunds) == ["source", "dating", "month", "country", "product", "currency"])
    #expect(names(.proceeds) == ["source", "month", "country", "product", "currency"])
    #expect(names(.retention) == ["source", "country", "product"])
  }

  @Test(arguments: TableKind.allCases)
  func `explains every table and every column in whole sentences`(kind: TableKind) {
    let definition = Definition.definition(of: kind)
    #expect(definition.table == kind)
    #expect(!definition.title.isEmpty && !definition.rowIs.isEmpty && !definition.sources.isEmpty)
    let sentences = [definition.sentence, definition.caveat] + definition.columns.map(\.meaning)
    for sentence in sentences { #expect(sentence.hasSuffix("."), "\(sentence)") }
    let names = definition.columns.map(\.column.name)
    #expect(Set(names).count == names.count)
  }

  @Test
  func `lists every table once, in order`() {
    #expect(Definition.all.map(\.table) == TableKind.allCases)
  }

  static let sources: [TableKind: [Source]] = [
    .churn: [.events, .receipts, .subscribers], .renewals: [.events, .receipts, .subscribers],
    .lapses: [.receipts, .subscribers], .refunds: [.receipts, .subscribers],
    .retention: [.events, .receipts, .subscribers],
    .movement: [.events, .receipts, .subscribers], .proceeds: [.receipts, .sales, .subscribers],
    .trials: [.events, .receipts, .subscribers], .commitments: [.receipts, .subscribers],
    .recurring: [.events, .receipts, .subscribers], .lifetime: [.receipts, .subscribers],
    .status: [.events, .receipts, .subscribers],
    .definitions: [.events, .receipts, .subscribers],
  ]

  @Test(arguments: TableKind.allCases)
  func `says which sources a table is made from`(kind: TableKind) {
    #expect(Definition.definition(of: kind).sources == Self.sources[kind])
  }

  @Test
  func `ends views by product with the id`() throws {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    world.add([Purchase(day("2024-05-10"))])
    for view in [[Dimension.product], [.country, .product]] {
      let table = try world.tables([view]).table(.churn, view: 0)
      #expect(table.columns.last?.name == "product_id")
      for row in table.namedRows {
        #expect(row.text("product") == "Monthly" || row.text("product") == row.text("product_id"))
        #expect(!row.text("product_id").isEmpty)
      }
    }
  }

  @Test(arguments: TableKind.allCases.filter { $0 != .commitments })
  func `has a cell a column in every row of every view`(kind: TableKind) throws {
    var maker = RandomWorld(seed: 11)
    let world = maker.world(subscribers: 20...20)
    let tables = world.tables(comparedViews)
    for view in tables.views(of: kind) {
      let table = try tables.table(kind, view: view)
      let columns = Definition.definition(of: kind).columns(for: comparedViews[view])
      #expect(table.columns == columns)
      #expect(!table.rows.isEmpty)
      for row in table.rows { #expect(row.count == columns.count) }
    }
  }

  @Test
  func `names files by their table and their dimensions`() throws {
    let views: [[Dimension]] = [[], [.startMonth], [.country, .product]]
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    world.add([Purchase(day("2024-05-10"))])
    let tables = world.tables(views)
    let stems = try views.indices.map { try tables.table(.churn, view: $0).fileStem }
    #expect(stems == ["churn", "churn-by-start_month", "churn-by-country-product"])
  }

  @Test(arguments: [TableKind.churn, .renewals, .retention])
  func `defines rates of events by what Apple reports, and only those`(kind: TableKind) {
    let ofEvents = Definition.definition(of: kind, for: [.events]).sentence
    #expect(ofEvents.contains("`Cancel` events") && !ofEvents.contains("60 days"), "\(ofEvents)")
    for sources in [[Source.subscribers], [.receipts], Source.allCases] {
      let sentence = Definition.definition(of: kind, for: Set(sources)).sentence
      #expect(!sentence.contains("`Cancel`"), "\(sentence)")
    }
  }

  @Test(arguments: [TableKind.churn, .renewals, .movement, .retention])
  func `defines columns of events by what Apple reports`(kind: TableKind) {
    let columns = Definition.columns(of: kind, from: .events)
    #expect(columns.map(\.column) == Definition.definition(of: kind).columns.map(\.column))
    for column in columns {
      #expect(!column.meaning.contains("60 days") && !column.meaning.contains("decided yet"))
    }
    for source in [Source.subscribers, .receipts] {
      for column in Definition.columns(of: kind, from: source) {
        #expect(!column.meaning.contains("Chains") && !column.meaning.contains("as-of"))
        #expect(!column.meaning.hasPrefix("Payment failed"))
      }
    }
  }
}

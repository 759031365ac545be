import Simulation
import SubreportTestSupport
import Testing

@Suite("A planted price")
struct PlantedPriceTests {
  /// Nine months with each kind of change of one product, and three storefronts without any.
  private func folder(
    _ seed: UInt64, _ subscribers: Int = 2_000,
    kinds: Set<WorldOptions.ReportKind> = [.subscriber, .sales]
  ) throws -> SimulatedFolder {
    let prices = try [
      PlantedPrice(increase: "Plus Monthly,US,2026-06-01,7.99,0.08"),
      PlantedPrice(change: "Plus Monthly,GB,2026-05-10,3.99,decrease"),
      PlantedPrice(change: "Plus Monthly,DE,2026-05-10,7.99,preserved"),
      PlantedPrice(change: "Plus Monthly,FR,2026-05-10,7.99,glitch"),
      PlantedPrice(change: "Plus Monthly,UA,2026-05-10,4.99,EUR"),
      PlantedPrice(increase: "Plus Monthly,JP,2026-05-10,1280,0"),
    ]
    return try SimulatedFolder.shared(
      WorldOptions(
        subscribers: subscribers, firstDay: "2026-01-01", lastDay: "2026-09-30", seed: seed,
        plantsFaults: false, kinds: kinds, prices: prices))
  }

  /// The standard charges of the product with planted prices in one storefront.
  private func charges(_ folder: SimulatedFolder, _ country: String) throws -> [[String: String]] {
    try folder.records("subscriber").filter { record in
      record["Subscription Name"] == "Plus Monthly" && record["Country"] == country
        && record["Refund"] != "Yes" && record["Subscription Offer Type"] == ""
    }
  }

  /// The prices charged before a day and from it on, with their currencies.
  private func prices(
    _ charges: [[String: String]], before day: String
  ) -> (before: Set<String>, after: Set<String>) {
    var prices: (before: Set<String>, after: Set<String>) = ([], [])
    for charge in charges {
      let text =
        charge["Customer Price", default: ""] + " " + charge["Customer Currency", default: ""]
      if charge["Event Date", default: ""] < day {
        prices.before.insert(text)
      } else {
        prices.after.insert(text)
      }
    }
    return prices
  }

  static let changes: [(String, String, Set<String>, Set<String>)] = [
    ("US", "2026-06-01", ["5.99 USD"], ["7.99 USD"]),
    ("GB", "2026-05-10", ["4.99 GBP"], ["3.99 GBP"]),
    ("DE", "2026-05-10", ["5.99 EUR"], ["5.99 EUR", "7.99 EUR"]),
    ("UA", "2026-05-10", ["5.99 USD"], ["4.99 EUR"]),
    ("JP", "2026-05-10", ["980.00 JPY"], ["1280.00 JPY"]),
    ("CA", "2026-05-10", ["7.99 CAD"], ["7.99 CAD"]),
  ]

  @Test
  func `is charged in its storefront from its day on`() throws {
    let folder = try folder(41)
    for (country, day, before, after) in Self.changes {
      let found = prices(try charges(folder, country), before: day)
      #expect(found.before == before, "\(country)")
      #expect(found.after == after, "\(country)")
    }
  }

  @Test(arguments: histories(2, from: 41))
  func `of one day is charged on that day only`(seed: UInt64) throws {
    for charge in try charges(folder(seed), "FR") {
      let isTheDay = charge["Event Date"] == "2026-05-10"
      #expect(charge["Customer Price"] == (isTheDay ? "7.99" : "5.99"))
    }
  }

  @Test(arguments: histories(2, from: 41))
  func `is not for those who keep theirs, and their rows say so`(seed: UInt64) throws {
    let folder = try folder(seed)
    let charges = try charges(folder, "DE")
    #expect(charges.contains { $0["Preserved Pricing"] == "Yes" })
    for charge in charges {
      let isKept =
        charge["Event Date", default: ""] >= "2026-05-10"
        && charge["Customer Price"] == "5.99"
      #expect((charge["Preserved Pricing"] == "Yes") == isKept)
    }
    let renewals = try folder.records("sales").filter { record in
      record["Title"] == "Plus Monthly" && record["Preserved Pricing"] == "Yes"
    }
    #expect(renewals.contains { $0["Country Code"] == "DE" })
    #expect(renewals.allSatisfy { $0["Subscription"] == "Renewal" || $0["Units"]?.first == "-" })
  }

  @Test(arguments: histories(2, from: 41))
  func `is told with what became of those who met it, as their rows say`(seed: UInt64) throws {
    let folder = try folder(seed)
    for (country, day) in [("US", "2026-06-01"), ("JP", "2026-05-10")] {
      let told = try #require(try folder.truth("prices.csv").first { $0["country"] == country })
      let counted = try MetIncrease(folder, country: country, from: day, lastDay: "2026-09-30")
      for (name, count) in counted.counts {
        #expect(told[name] == "\(count)", "\(country) \(name)")
      }
    }
  }

  @Test(arguments: histories(2, from: 41))
  func `drives away as many as it should`(seed: UInt64) throws {
    let rows = try folder(seed, 20_000, kinds: [.subscriptionEvent]).truth("prices.csv")
    for row in rows where row["class"] == "increase" {
      func value(_ name: String) -> Double { Double(row[name] ?? "") ?? -1 }
      let reached = value("reached")
      let lost = value("recovered") + value("lapsed") + value("pending")
      let planted = value("planted_loss")
      #expect(abs(planted - value("usual_loss") - value("extra")) < 0.000_002)
      // Four standard errors.
      let error = 4 * (planted * (1 - planted) / reached).squareRoot()
      #expect(abs(lost / reached - planted) < error, "\(row)")
    }
  }

  @Test
  func `is told in no world without one`() throws {
    let folder = try SimulatedFolder.shared(SimulatorTests.world(5, to: "2026-01-02"))
    #expect(!folder.files.contains("truth/prices.csv"))
  }

  // MARK: Receipts

  /// The increases that signed renewals tell of, as subtype, status and price.
  private func notices(_ price: String) throws -> Set<[String]> {
    let folder = try SimulatedFolder.shared(
      WorldOptions(
        subscribers: 600, firstDay: "2026-01-01", lastDay: "2026-06-30", seed: 43,
        plantsFaults: false, kinds: [.receipts], notified: 150,
        prices: [PlantedPrice(increase: "Plus Monthly,US,2026-04-01,\(price),0.2")]))
    let data = try folder.dump("notifications-v2").map { try payload($0["signedPayload"]) }
    let told =
      try data.filter { $0["notificationType"]?.text == "PRICE_INCREASE" }.compactMap {
        let renewal = try payload($0["data"]?["signedRenewalInfo"])
        guard renewal["productId"]?.text == "com.example.larkspur.plus.month" else { return nil }
        return ["priceIncreaseStatus", "renewalPrice"].map { renewal[$0]?.text ?? "" }
          + [$0["subtype"]?.text ?? ""]
      } as [[String]]
    let charged = try folder.signedTransactions().filter {
      $0["productId"]?.text == "com.example.larkspur.plus.month" && $0["offerType"] == nil
        && $0["storefront"]?.text == "USA"
    }
    #expect(Set(charged.compactMap { $0["price"]?.text }).count == 2)
    return Set(told)
  }

  @Test
  func `is told to those who will pay it; a large one needs their consent`() throws {
    #expect(try notices("7.99") == [["1", "7990", "ACCEPTED"]])
    #expect(
      try notices("14.99") == [["0", "14990", "PENDING"], ["1", "14990", "ACCEPTED"]])
  }

  // MARK: Refusals

  static let impossible: [(String, String)] = [
    ("Plus Monthly,US,2026-05-01,7.99", "Plus Monthly,US,2026-05-01,7.99"),
    ("Plus,US,2026-05-01,7.99,0.1", "Plus"),
    ("Plus Monthly,USA,2026-05-01,7.99,0.1", "USA"),
    ("Plus Monthly,US,2025-12-31,7.99,0.1", "2025-12-31"),
    ("Plus Monthly,US,2026-05-01,7.999,0.1", "7.999"),
    ("Plus Monthly,US,2026-05-01,0,0.1", "0"),
    ("Plus Monthly,US,2026-05-01,5.99,0.1", "5.99 USD"),
    ("Plus Monthly,US,2026-05-01,7.99,1.01", "1.01"),
    ("Plus Monthly,US,2026-05-01,7.99,-0.1", "-0.1"),
    ("Plus Monthly,JP,2026-05-01,999.50,0.1", "999.50"),
  ]

  @Test(arguments: impossible)
  func `is refused if it is impossible`(text: String, found: String) throws {
    expect(found) { try PlantedPrice(increase: text) }
  }

  static let impossibleChanges: [(String, String)] = [
    ("Plus Monthly,US,2026-05-01,5.99,decrease", "5.99 USD"),
    ("Plus Monthly,US,2026-05-01,4.99,preserved", "4.99 USD"),
    ("Plus Monthly,US,2026-05-01,5.99,glitch", "5.99 USD"),
    ("Plus Monthly,US,2026-05-01,5.99,USD", "5.99 USD"),
    ("Plus Monthly,US,2026-05-01,5.99,up", "up"),
  ]

  @Test(arguments: impossibleChanges)
  func `is refused if it is another change than it says`(text: String, found: String) throws {
    expect(found) { try PlantedPrice(change: text) }
  }

  @Test
  func `is refused on a day that has one, and if there are too many`() throws {
    let price = try PlantedPrice(increase: "Plus Monthly,US,2026-05-01,7.99,0.1")
    #expect(
      throws: SimulationError.impossiblePrice(
        found: "Plus Monthly,US,2026-05-01", expected: "one price a product, country and day")
    ) { try world([price, price]) }
    #expect(throws: SimulationError.tooManyPrices(101)) {
      try world(Array(repeating: price, count: 101))
    }
    #expect(throws: SimulationError.malformedDay("2026-05-32")) {
      try world([PlantedPrice(increase: "Plus Monthly,US,2026-05-32,7.99,0.1")])
    }
  }

  private func world(_ prices: [PlantedPrice]) throws -> WorldOptions {
    try WorldOptions(
      subscribers: 1, firstDay: "2026-01-01", lastDay: "2026-12-31", seed: 1, prices: prices)
  }

  /// Expects a price to be refused for what was found.
  private func expect(_ found: String, _ price: () throws -> PlantedPrice) {
    let error = #expect(throws: SimulationError.self) { _ = try world([price()]) }
    switch error {
    case .impossiblePrice(found, _), .unknownWord(found, _): break
    default: Issue.record("\(String(describing: error))")
    }
  }
}

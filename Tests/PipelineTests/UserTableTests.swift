import Pipeline
import SubscriptionModel
import Testing

@Suite("Files of identities and of content")
struct UserTableTests {
  @Test
  func `name customers by original transaction ids and by account tokens`() throws {
    let text = "customer,original_transaction_id,app_account_token\r\nAnn,1000,\nBo,,A-1\n"
    let found = try IdentitiesFile.read(text, path: "ids.csv")
    #expect(found.map(\.customer) == ["Ann", "Bo"])
    #expect(found.map(\.key) == [.originalTransactionID("1000"), .appAccountToken("A-1")])
  }

  @Test(arguments: [
    ("", "ids.csv: error: found an empty file, expected a header [bad-table]"),
    (
      "name,id\n",
      "ids.csv:1: error: found another header, expected the columns customer,original_transaction_id or customer,app_account_token [bad-table]"
    ),
    (
      "customer,original_transaction_id\nAnn\n",
      "ids.csv:2: error: found 1 cell, expected 2, as the header has [bad-table]"
    ),
    (
      "customer,original_transaction_id\n,1000\n",
      "ids.csv:2:1: error: column \"customer\": found \"\", expected the name of a customer [bad-table]"
    ),
    (
      "customer,original_transaction_id\nAnn,\n",
      "ids.csv:2:2: error: column \"original_transaction_id\": found \"\", expected an id [bad-table]"
    ),
    (
      "customer,original_transaction_id\n\"Ann,1000\n",
      "ids.csv:2: error: found a quote that is not closed, expected a closing one [bad-table]"
    ),
  ])
  func `are refused with their place`(text: String, message: String) {
    let error = #expect(throws: TableError.self) {
      try IdentitiesFile.read(text, path: "ids.csv")
    }
    #expect(error?.message == message)
  }

  @Test
  func `may have semicolons, decimal commas and lines that end in CR`() throws {
    let text =
      "product;country;date;new_price;currency\rPlus;US;2026-12-01;12,99;usd\r\"a;b\";DE;2026-12-01;7;EUR\r"
    let rows = try PriceFile.plan.read(text, path: "plan.csv")
    #expect(rows.map(\.newPrice) == [12_990, 7_000])
    #expect(rows.map(\.product) == ["Plus", "a;b"])
    #expect(rows.map(\.currency) == ["USD", "EUR"])
    for bad in ["12,999;USD", "12.99;US$", "12.99;123", "12.99;\u{20AC}"] {
      #expect(throws: TableError.self) {
        try PriceFile.plan.read(
          "product;country;date;new_price;currency\nPlus;US;2026-12-01;\(bad)\n", path: "plan.csv")
      }
    }
  }

  @Test
  func `date content by days and by instants, quoted or not`() throws {
    let text =
      "id,published,product\n\"No. 1, May\",2026-05-01,\n\"the \"\"2\"\"\",2026-06-01T09:30:00Z,p\n"
    let found = try ContentFile.read(text, path: "c.csv")
    #expect(found.map(\.id) == ["No. 1, May", "the \"2\""])
    #expect(
      found.map(\.published.description) == ["2026-05-01T00:00:00Z", "2026-06-01T09:30:00Z"])
    #expect(found.map(\.product) == ["", "p"])
  }

  @Test
  func `refuse what is no date`() {
    let message =
      "c.csv:2:2: error: column \"published\": found \"May\", expected a day such as 2026-09-30 or an instant with Z [bad-table]"
    let error = #expect(throws: TableError.self) {
      try ContentFile.read("id,published\n1,May\n", path: "c.csv")
    }
    #expect(error?.message == message)
  }
}

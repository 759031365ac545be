import Receipts
import SubscriptionModel
import Testing

private func record(_ keys: String) -> String {
  #"{"transactionId":"2","originalTransactionId":"1","productId":"p","bundleId":"a.b",\#(keys)}"#
}

@Suite("Records of in-app libraries")
struct LibraryRecordTests {
  @Test(arguments: [
    #""purchaseDateMs":1600000000000"#,
    #""purchaseDate":"2020-09-13 12:26:40 Etc/GMT","purchaseDatePst":"x""#,
    #""purchaseDate":1600000000000,"originalPurchaseDateMs":1600000000000"#,
    #""purchaseDate":1600000000000,"expiresDateMs":1600100000000"#,
    #""purchaseDate":1600000000000,"expirationDate":1600100000000"#,
    #""purchaseDate":1600000000000,"cancellationDate":"""#,
    #""purchaseDate":1600000000000,"cancellationDateMs":null"#,
    #""purchaseDate":1600000000000,"isTrialPeriod":"false""#,
    #""purchaseDate":1600000000000,"isInIntroOfferPeriod":false"#,
  ])
  func `are answers of verifyReceipt, and never V2`(keys: String) throws {
    let dump = try Dump(record(keys))
    #expect(dump.responses.map(\.kind) == [.verifyReceipt])
    #expect(dump.transactions.map(\.origin) == [.latest])
    #expect(dump.transactions.map(\.purchase.seconds) == [1_600_000_000])
  }

  @Test
  func `have verifyReceipt's fields, and Apple's spelling first`() throws {
    let dump = try Dump(
      record(
        #""purchaseDateMs":1600000000000,"purchase_date":"2020-09-13 12:26:41 Etc/GMT","#
          + #""expirationDate":1600100000000,"expiresDate":"2020-09-20 00:00:00 Etc/GMT","#
          + #""cancellationDate":"2020-09-14 00:00:00 Etc/GMT","isTrialPeriod":"true","#
          + #""is_in_intro_offer_period":"false","isInIntroOfferPeriod":"true","#
          + #""product_id":"q","requestDateMs":"1600200000000","promotionalOfferId":"o""#))
    #expect(
      dump.transactions.map { dump.describe($0) } == [
        "100 2020-09-15T20:00:00Z 0 1 2 0  a.b q    2020-09-13T12:26:40Z 2020-09-20T00:00:00Z 2020-09-14T00:00:00Z - -1 -1 5 latest missing missing 1"
      ])
  }

  @Test
  func `without such a key are V2`() throws {
    let dump = try Dump(record(#""purchaseDate":1600000000000,"expiresDate":1600100000000"#))
    #expect(dump.transactions.map(\.origin) == [.v2])
    #expect(dump.responses.map(\.kind) == [.transaction])
  }
}

import AppStoreReceipts
import Foundation
import Testing

/// The examples of AppStoreReceipts.
@Suite("ReceiptFile")
struct ReceiptFileTests {
  private let printed = Printed()
  private let path = Repository.files + "/receipts.ndjson"

  private func print<Value>(_ value: Value) { printed.add("\(value)") }

  @Test func `is a sequence of receipts`() throws {
    for receipt in try ReceiptFile(path) {
      for transaction in receipt.transactions {
        print("\(transaction.product) \(transaction.purchasedAt)")
      }
    }
    // plus.month 2026-08-01T00:00:00Z
    // plus.month 2026-08-15T00:00:00Z
    #expect(
      printed.lines == ["plus.month 2026-08-01T00:00:00Z", "plus.month 2026-08-15T00:00:00Z"])
  }

  @Test func `checks signatures`() throws {
    let signedPath = Repository.sample + "/receipts/api-history_001.ndjson.gz"
    let root = try Data(contentsOf: URL(fileURLWithPath: Repository.sample + "/receipts/root.cer"))
    let appleRoot = [UInt8](root)
    let dump = try ReceiptFile(path)
    let verified = try ReceiptFile(signedPath, roots: [appleRoot])
    #expect(dump.allSatisfy { !$0.isVerified })
    #expect(verified.contains { $0.isVerified })
  }

  @Test func `accounts for every row`() throws {
    let dump = try ReceiptFile(path)
    print(dump.rejects.count)  // 1
    print(dump.ignored)  // ["status not 0 or 21006": 1]
    print(dump.unusableCount)  // 0
    let receipts = dump.makeIterator()
    print(receipts.next()?.kind ?? "none")  // transaction
    #expect(printed.lines == ["1", "[\"status not 0 or 21006\": 1]", "0", "transaction"])
  }

  @Test func `says which rows are rejected`() throws {
    let dump = try ReceiptFile(path)
    for reject in dump.rejects { print("\(path): \(reject)") }
    print(dump.rejects[0].line)  // 4
    print(dump.rejects[0].code)  // not-json
    print(dump.rejects[0].description.hasPrefix("line 4: found "))  // true
    #expect(printed.lines.dropFirst() == ["4", "not-json", "true"])
  }

  @Test func `has receipts with their origin`() throws {
    let dump = try ReceiptFile(path)
    let receipts = Array(dump)
    print(receipts.map(\.transactions.count))  // [1, 1]
    let production = receipts.filter { $0.environment != .sandbox }
    print(production.count)  // 2
    print(receipts[0].kind)  // transaction
    print(receipts[0].madeAt)  // 2026-09-20T00:00:00Z
    print(receipts[0].environment)  // production
    print(receipts[0].app)  // com.example.larkspur
    print(receipts[0].isVerified)  // false
    let transactions = receipts.flatMap(\.transactions)
    print(transactions.count)  // 2
    #expect(
      printed.lines == [
        "[1, 1]", "2", "transaction", "2026-09-20T00:00:00Z", "production",
        "com.example.larkspur", "false", "2",
      ])
  }

  @Test func `has transactions`() throws {
    let transactions = try ReceiptFile(path).flatMap(\.transactions)
    let renewals = transactions.filter { $0.id != $0.originalID }
    print(renewals.count)  // 1
    let trials = transactions.filter { $0.offer == .freeTrial }
    print(trials.count)  // 1
    print(transactions[1].id)  // 2000000000000002
    print(transactions[1].originalID)  // 2000000000000001
    print(transactions[1].product)  // plus.month
    print(transactions[1].purchasedAt)  // 2026-08-15T00:00:00Z
    print(transactions[1].originallyPurchasedAt ?? "")  // 2026-08-01T00:00:00Z
    print(transactions[1].expiresAt ?? "")  // 2026-09-15T00:00:00Z
    print(transactions[1].revokedAt ?? "never")  // never
    print(transactions[1].priceMilliunits ?? 0)  // 9990
    print(transactions[1].currency)  // EUR
    print(transactions[1].country)  // DE
    print(transactions[0].offer == .freeTrial)  // true
    #expect(
      printed.lines == [
        "1", "1", "2000000000000002", "2000000000000001", "plus.month", "2026-08-15T00:00:00Z",
        "2026-08-01T00:00:00Z", "2026-09-15T00:00:00Z", "never", "9990", "EUR", "DE", "true",
      ])
  }

  @Test func `is no missing file`() throws {
    do {
      _ = try ReceiptFile("missing.ndjson")
    } catch {
      print(error.code)  // cannot-open
    }
    #expect(printed.lines == ["cannot-open"])
    let missing = Self.failure { try ReceiptFile("missing.ndjson") }
    let failure = try #require(missing)
    print(failure.code)  // cannot-open
    print(failure)
    // missing.ndjson: error: cannot open the file: no such file or directory [cannot-open]
    #expect(
      printed.lines[2]
        == "missing.ndjson: error: cannot open the file: no such file or directory [cannot-open]")
  }

  @Test func `refuses wrong arguments and other files`() {
    let report = Repository.files + "/Subscriber_80012345_20260831_V1_4.txt"
    let columns = ["purchased": "purchased_at"]
    let codes = [
      Self.failure { try ReceiptFile(report) },
      Self.failure { try ReceiptFile(path, roots: [[1]]) },
      Self.failure { try ReceiptFile(path, columns: columns) },
    ].map { $0?.code }
    #expect(codes == ["unrecognized-file", "bad-certificate", "unknown-column"])
  }

  private static func failure(
    _ open: () throws -> ReceiptFile
  ) -> ReceiptFile.Failure? {
    do {
      _ = try open()
      return nil
    } catch {
      return error as? ReceiptFile.Failure
    }
  }
}

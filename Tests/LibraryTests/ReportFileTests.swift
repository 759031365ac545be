import AppStoreReports
import Testing

/// The examples of AppStoreReports.
@Suite("ReportFile")
struct ReportFileTests {
  private let printed = Printed()
  private let path = Repository.files + "/Subscriber_80012345_20260831_V1_4.txt"

  private func print<Value>(_ value: Value) { printed.add("\(value)") }

  private func readRows() throws -> (rows: [ReportFile.Row], rejects: [ReportFile.Reject]) {
    var rows: [ReportFile.Row] = []
    let rejects = try ReportFile(path).forEachRow { rows.append($0) }
    return (rows, rejects)
  }

  @Test func `has exact amounts`() throws {
    let report = try ReportFile(path)
    var proceeds: [String: Int64] = [:]
    let rejects = try report.forEachRow { row in
      guard let charge = row.charge, !charge.isRefund else { return }
      let milliunits = charge.proceedsMilliunits * Int64(charge.units)
      proceeds[charge.proceedsCurrency, default: 0] += milliunits
    }
    print(proceeds)  // ["EUR": 11740]
    print(rejects.count)  // 1
    #expect(printed.lines == ["[\"EUR\": 11740]", "1"])
  }

  @Test func `has the properties of its header and name`() throws {
    let report = try ReportFile(path)
    print(report.kind)  // subscriber
    print(report.version)  // 1_4
    print(report.period?.upperBound ?? "unknown")  // 2026-08-31
    print(report.columns.contains("Subscriber ID"))  // true
    print(ReportFile.Kind.subscriptionEvent.rawValue)  // SUBSCRIPTION_EVENT
    #expect(printed.lines == ["subscriber", "1_4", "2026-08-31", "true", "SUBSCRIPTION_EVENT"])
  }

  @Test func `passes each row or returns why it cannot be used`() throws {
    let report = try ReportFile(path)
    var lines = 0
    let rejects = try report.forEachRow { _ in lines += 1 }
    print("\(lines) rows, \(rejects.count) rejected")  // 3 rows, 1 rejected
    #expect(printed.lines == ["3 rows, 1 rejected"])
  }

  @Test func `has rows that outlast the call`() throws {
    let report = try ReportFile(path)
    var rows: [ReportFile.Row] = []
    let rejects = try report.forEachRow { rows.append($0) }
    print(rows[0]["Country"] ?? "none")  // DE
    print(rejects[0].line)  // 5
    print(rows[0].line)  // 2
    print(rows[0].charge?.priceMilliunits ?? 0)  // 9990
    print(rows[0]["subscriber id"] ?? "none")  // 1000000000001
    print(rows[0]["Color"] ?? "none")  // none
    #expect(printed.lines == ["DE", "5", "2", "9990", "1000000000001", "none"])
    #expect(rows[0]["Subscription Duration"] == "1 Month", "the name of earlier versions")
  }

  @Test func `has charges and refunds`() throws {
    let (rows, _) = try readRows()
    let refunds = rows.compactMap(\.charge).filter(\.isRefund)
    print(refunds.count)  // 1
    let charge = try #require(rows[0].charge)
    print(charge.day)  // 2026-08-31
    print(charge.units)  // 1
    print(charge.isRefund)  // false
    print(charge.priceMilliunits)  // 9990
    print(charge.priceCurrency)  // EUR
    print(charge.proceedsMilliunits)  // 5870
    print(charge.proceedsCurrency)  // EUR
    #expect(
      printed.lines == ["1", "2026-08-31", "1", "false", "9990", "EUR", "5870", "EUR"])
    #expect(refunds[0].priceMilliunits == 9_990, "amounts have no sign")
  }

  @Test func `says where a rejected row is wrong`() throws {
    let (_, rejects) = try readRows()
    for reject in rejects { print("\(path): \(reject)") }
    let reject = rejects[0]
    print(reject.line)  // 5
    print(reject.column)  // Customer Price
    print(reject.found)  // 9,99
    print(reject.expected)  // a decimal such as 9.99
    print(reject.code)  // not-a-decimal
    print(reject)
    // line 5: column "Customer Price": found "9,99", expected a decimal such as 9.99 [not-a-decimal]
    let message =
      "line 5: column \"Customer Price\": found \"9,99\", expected a decimal such as 9.99 [not-a-decimal]"
    #expect(
      printed.lines == [
        "\(path): \(message)", "5", "Customer Price", "9,99", "a decimal such as 9.99",
        "not-a-decimal", message,
      ])
  }

  @Test func `is no missing file`() throws {
    do {
      print(try ReportFile("missing.txt").kind)
    } catch {
      print(error.code)  // cannot-open
    }
    #expect(printed.lines == ["cannot-open"])
    let failure = try #require(Self.failure("missing.txt"))
    print(failure.code)  // cannot-open
    print(failure)
    // missing.txt: error: cannot open the file: no such file or directory [cannot-open]
    #expect(
      printed.lines[2]
        == "missing.txt: error: cannot open the file: no such file or directory [cannot-open]")
  }

  @Test func `is no file of another kind`() {
    #expect(Self.failure(#filePath)?.code == "unrecognized-file")
    #expect(Self.failure(Repository.files)?.code == "cannot-open")
  }

  private static func failure(_ path: String) -> ReportFile.Failure? {
    do {
      _ = try ReportFile(path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `stops with the error of the body`() throws {
    struct Enough: Error {}
    let report = try ReportFile(path)
    var lines = 0
    #expect(throws: Enough.self) {
      _ = try report.forEachRow { _ in
        lines += 1
        throw Enough()
      }
    }
    #expect(lines == 1)
  }

  private static let sampleDay: [(String, ReportFile.Kind)] = [
    ("subscriber/Subscriber_80012345_20260831_V1_4.txt.gz", .subscriber),
    ("subscription/Subscription_80012345_20260831_V1_4.txt.gz", .subscription),
    ("subscription-event/Subscription_Event_80012345_20260831_V1_4.txt.gz", .subscriptionEvent),
    ("sales/S_D_80012345_20260831.txt.gz", .sales),
  ]

  @Test(arguments: sampleDay)
  func `reads every kind of report`(name: String, kind: ReportFile.Kind) throws {
    let report = try ReportFile(Repository.sample + "/" + name)
    var rows = 0
    var charges: [ReportFile.Charge] = []
    let rejects = try report.forEachRow { row in
      rows += 1
      if let charge = row.charge { charges.append(charge) }
    }
    #expect(report.kind == kind)
    #expect(report.period == "2026-08-31"..."2026-08-31")
    #expect(rows > 0 && rejects.isEmpty)
    #expect(charges.isEmpty == (kind == .subscription || kind == .subscriptionEvent))
    // A report has rows of the next day too.
    let days = ["2026-08-31", "2026-09-01"]
    #expect(charges.allSatisfy { days.contains($0.day) && $0.priceCurrency.count == 3 })
  }
}

import Explain
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Two folders that both have a Subscriber report and a dump of one name.
private struct TwoFolders {
  let sandbox: ReportSandbox
  let report = "Subscriber_80012345_20260105_V1_3.txt"

  init() throws {
    let row = { (day: String, id: String) in ["Event Date": day, "Subscriber ID": id] }
    let (first, second) = (row("2026-01-05", "1"), row("2026-01-05", "2"))
    let february = "Subscriber_80012345_20260215_V1_3.txt"
    let end = "Subscriber_80012345_20260331_V1_3.txt"
    sandbox = try ReportSandbox([
      "a/\(report)": ReportText.subscriber.with(first).bytes,
      "b/\(report)": ReportText.subscriber.with(first, second).bytes,
      "b/\(february)": ReportText.subscriber.bytes,
      "b/\(end)": ReportText.subscriber.bytes,
      "a/dump.ndjson": ReceiptAnswer.dump([ReceiptAnswer.three[0]]),
      "b/dump.ndjson": ReceiptAnswer.dump(Array(ReceiptAnswer.three.dropFirst())),
    ])
  }

  func run(_ source: Source) -> RunResult {
    carryOut(["a", "b"].map { sandbox.path + "/" + $0 }, views: [[]]) { plan in
      plan.sources = [source]
      plan.keepsCharges = source == .subscribers
      plan.keepsReceipts = source == .receipts
    }
  }
}

private func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? QuestionError)?.message
  }
}

@Suite("Files of one name in two inputs")
struct FileNameTests {
  @Test
  func `are told apart in lists, and their lists name stories`() throws {
    let folders = try TwoFolders()
    let result = folders.run(.subscribers)
    let list = try Explanation(
      Question("churn.active_start", where: []), month: try #require(Month("2026-02")), result)
    // Of two versions of a report the last one counts.
    let names = list.table.rows.indices.map { list.table.texts(["subscription"], row: $0)[0] }
    #expect(names == ["b/\(folders.report):2", "b/\(folders.report):3"])
    for name in names {
      let story = try Story(of: name, result)
      #expect(story.lines.first?.hasPrefix("Subscription \(name):") == true, "\(story.lines)")
    }
    let asked = folders.report + ":2"
    #expect(
      message { _ = try Story(of: asked, result) }
        == "--subscription \(asked): 2 files of the input have this name; choose one: a/\(folders.report), b/\(folders.report)"
    )
  }

  @Test
  func `are told apart in dumps`() throws {
    let folders = try TwoFolders()
    let result = folders.run(.receipts)
    let list = try Explanation(
      Question("churn.churned", where: [], from: [.receipts]),
      month: try #require(Month("2026-02")), result)
    let names = list.table.rows.indices.map { list.table.texts(["subscription"], row: $0)[0] }
    #expect(
      names == [
        "a/dump.ndjson:1 latest_receipt_info[0]", "b/dump.ndjson:2 latest_receipt_info[0]",
      ])
    let asked = { (text: String) in
      message { _ = try Story(of: text, result) }
    }
    #expect(
      asked("dump.ndjson:1")
        == "--subscription dump.ndjson:1: 2 files of the input have this name; choose one: a/dump.ndjson, b/dump.ndjson"
    )
    #expect(asked("b/dump.ndjson:2") == nil)
  }
}

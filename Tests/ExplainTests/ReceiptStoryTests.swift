import Explain
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The story of a subscription of receipts")
struct ReceiptStoryTests {
  private func run() throws -> ReceiptRun {
    try ReceiptRun(
      ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)]), views: [[]])
  }

  @Test
  func `has charges, refunds and ends in the order of time`() throws {
    let story = try run().story("3000")
    #expect(
      story.lines == [
        "Subscription dump.ndjson:3 latest_receipt_info[0]: com.example.app, group 20450001; its data end on 2026-06-01; state: refunded",
        "",
        "2026-01-20  Free trial of com.example.month, until 2026-01-27.",
        "            The subscription begins here.",
        "            Row: dump.ndjson:3 latest_receipt_info[0]",
        "",
        "2026-01-27  Trial converted.",
        "            Paid on 2026-01-27, within 60 days of the trial's end on 2026-01-27.",
        "            Counts in trials 2026-01: trials, converted.",
        "",
        "2026-01-27  Paid for com.example.month, bought until 2026-02-27, counted until 2026-02-03.",
        "            Paid on 2026-01-27 after a free period that ended on 2026-01-27.",
        "            Counts in refunds dating=sale currency= 2026-01: charges.",
        "            Counts in refunds dating=refund currency= 2026-01: charges.",
        "            Counts in movement 2026-01: converted, close_observed.",
        "            Counts in recurring currency= 2026-01: active.",
        "            Counts in status 2026-01: paid, standard.",
        "            Counts in churn 2026-02: active_start.",
        "            Counts in movement 2026-02: open.",
        "            Row: dump.ndjson:3 latest_receipt_info[1]",
        "",
        "2026-02-03  Refund.",
        "            The whole price of the charge of 2026-01-27 was given back on 2026-02-03.",
        "            Counts in refunds dating=sale currency= 2026-01: refunds_full.",
        "            Counts in refunds dating=refund currency= 2026-02: refunds_full.",
        "            Row: dump.ndjson:3 latest_receipt_info[1]",
        "",
        "2026-02-03  Lapsed.",
        "            A full refund ended the period on 2026-02-03; no charge followed; the data of the subscription end on 2026-06-01.",
        "            Counts in churn 2026-02: churned, churned_refund.",
        "            Counts in lapses 2026-02: lapses, open_final.",
        "            Counts in movement 2026-02: churned.",
        "            Counts in retention k=1: at_risk, lost.",
      ])
  }

  @Test
  func `names each cell as often as the tables count`() throws {
    let run = try run()
    var mentions: [String: Int] = [:]
    for answer in ReceiptAnswer.three {
      let table = try run.story(answer.original).table
      for row in table.rows.indices {
        for cell in table.texts(["counts_in"], row: row)[0].split(separator: ";") {
          mentions[String(cell.drop { $0 == " " }), default: 0] += 1
        }
      }
    }
    for kind in [TableKind.churn, .renewals, .lapses, .movement, .trials] {
      let table = try run.result.tableMaker().table(kind, view: 0)
      for row in table.rows.indices {
        let cells = table.row(row)
        let month = cells["month"]?.text ?? ""
        for name in ColumnMakeup.names(in: kind, from: .receipts) {
          guard case .counts? = ColumnMakeup.of(name, in: kind, from: .receipts),
            case .count(let count)? = cells[name]
          else { continue }
          let cell = "\(kind.rawValue).\(name) \(month)"
          #expect(mentions[cell] ?? 0 == count, "\(cell)")
        }
      }
    }
  }

  @Test
  func `is found by a transaction and by a line`() throws {
    let run = try run()
    let expected = try run.story("2000").lines
    #expect(expected.count > 10)
    for text in ["20001", "dump.ndjson:2", "dump.ndjson:2 latest_receipt_info[1]"] {
      #expect(try run.story(text).lines == expected, "\(text)")
    }
    let named = try run.story("2000", naming: .clear).lines[0]
    #expect(named.hasPrefix("Subscription original:2000: "))
    for text in ["99", "dump.ndjson:0", "none.ndjson:2", "0"] {
      #expect(throws: QuestionError.self, "\(text)") { try run.story(text) }
    }
  }
}

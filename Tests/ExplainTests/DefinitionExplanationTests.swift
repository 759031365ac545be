import Counting
import Explain
import Pipeline
import PipelineTestSupport
import Rendering
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Explained definitions")
struct DefinitionExplanationTests {
  private func run(_ sandbox: ReportSandbox, _ source: Source) -> RunResult {
    carryOut([sandbox.path], views: [[]]) { plan in
      plan.sources = [source]
      plan.readsFinance = false
      (plan.keepsCharges, plan.keepsReceipts) = (source == .subscribers, source == .receipts)
      plan.keepsContext = source == .events
    }
  }

  private func question(
    _ row: ReportTable.NamedRow, _ source: Source, _ column: String? = nil
  ) throws -> Question {
    let keys = ["measure", "tool", "axis", "currency"]
    return try Question(
      column.map { "definitions.\($0)" } ?? "definitions", about: .definitions,
      where: keys.map { "\($0)=\(row.text($0))" }, from: [source])
  }

  private func number(_ cell: ReportTable.Cell) -> Int128? {
    switch cell {
    case .count(let count): Int128(count)
    case .money(let milliunits): milliunits
    default: nil
    }
  }

  @Test(arguments: histories(6, from: 560), [Source.subscribers, .receipts, .events])
  func `give every numerator and denominator of every step`(seed: UInt64, source: Source) throws {
    let kinds: [Source: Set<WorldOptions.ReportKind>] = [
      .subscribers: [.subscriber], .receipts: [.receipts],
      .events: [.subscription, .subscriptionEvent],
    ]
    let world = try SimulatedReports(
      seed: seed, subscribers: 80, from: "2025-02-15", to: "2026-05-20",
      kinds: kinds[source] ?? [])
    let sandbox = try world.sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let result = run(sandbox, source)
    let last = try #require(result.lastCompleteMonth())
    let rows = try result.tableMaker().table(.definitions, view: 0).namedRows
    var explained: Set<String> = []
    for month in [last, last - 2 - Int(seed % 5)] {
      for row in rows where row.text("month") == "\(month)" {
        let name = "\(row.text("measure")) \(row.text("tool")) \(row.text("axis"))"
        let question = try question(row, source)
        if row.text("state").hasPrefix("needs ") {
          #expect(throws: QuestionError.self, "\(name)") {
            try Explanation(ofDefinition: question, month: month, result)
          }
          continue
        }
        let found = try Explanation(ofDefinition: question, month: month, result)
        #expect(found.failures == [], "\(name)")
        for column in ["numerator", "denominator"] {
          guard let expected = number(row.cell(column)) else { continue }
          explained.insert(row.text("measure"))
          let own = found.table.namedRows.filter { $0.text("column") == column }
          let sum = own.reduce(Int128(0)) { $0 + (number($1.cell("value")) ?? 0) }
          #expect(sum == expected, "\(name) \(column)")
        }
      }
    }
    // A small world may have no trial in these months.
    let measures: [OtherMeasure] =
      source == .events
      ? [.active, .renewalRate] : [.active, .churnRate, .mrr, .refundRate, .renewalRate]
    #expect(explained.isSuperset(of: measures.map(\.rawValue)))
  }

  @Test
  func `list ours first, then what the step takes in or out, with the limit for each`() throws {
    let world = try SimulatedReports(
      seed: 561, subscribers: 80, from: "2025-02-15", to: "2026-05-20", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let result = run(sandbox, .subscribers)
    let rows = try result.tableMaker().table(.definitions, view: 0).namedRows
    // One in which somebody came back.
    let row = try #require(
      rows.last {
        $0.text("measure") == "churn_rate" && $0.text("tool") == "revenuecat"
          && $0.text("axis") == "recovery" && $0.cell("change").machineText.hasPrefix("-")
      })
    let month = try #require(Month(row.text("month")))
    let all = try Explanation(
      ofDefinition: question(row, .subscribers, "numerator"), month: month, result)
    #expect(all.lines[0].hasPrefix("numerator: churned: "))
    #expect(all.lines.contains { $0.hasPrefix("numerator = ") })
    #expect(!all.table.namedRows.contains { $0.text("column") == "denominator" })
    let change = try Explanation(
      ofDefinition: question(row, .subscribers, "change"), month: month, result, Listing(limit: 1))
    #expect(change.lines.last?.hasPrefix("change = ") == true)
    #expect(change.lines.last?.hasSuffix(", as definitions.csv says") == true)
    #expect(change.table.namedRows.contains { $0.text("because").hasSuffix("not listed") })
  }

  @Test
  func `are refused with what can be asked`() {
    func message(_ cell: String, _ conditions: [String]) -> String? {
      do throws(QuestionError) {
        _ = try Question(cell, about: .definitions, where: conditions)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(message("definitions", ["measure=mrr"]) == nil)
    #expect(message("definitions.numerater", [])?.contains("\"numerator\"") == true)
    #expect(message("definitions", ["country=US"])?.contains("measure") == true)
    #expect(message("definitions", ["month=2026-04"])?.contains("--month") == true)
  }
}

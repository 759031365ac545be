import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Retention")
struct RetentionTests {
  /// Ends on 2024-06-10; the start is known.
  let first = Purchase(day("2024-05-10"))
  let second = Purchase(day("2024-06-10"))

  private func rows(_ rows: [Purchase], asOf: String = "2024-12-31") throws -> [[Int]] {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day(asOf))
    world.add(rows)
    let table = try world.tables().table(.retention, view: 0)
    return table.rows.map { row in
      row.compactMap { cell in if case .count(let count) = cell { count } else { nil } }
    }
  }

  // Each row: k, at risk, lost, kept.

  @Test
  func `counts a chain at risk from 60 days after its period's end`() throws {
    #expect(try rows([first], asOf: "2024-08-08").isEmpty)
    #expect(try rows([first], asOf: "2024-08-09") == [[1, 1, 1, 0]])
    #expect(try rows([first, second], asOf: "2024-08-08").isEmpty)
    #expect(try rows([first, second], asOf: "2024-08-09") == [[1, 1, 0, 1]])
    #expect(try rows([first, second]) == [[1, 1, 0, 1], [2, 1, 1, 0]])
  }

  @Test
  func `keeps a chain that recovered, and loses for good one that came back later`() throws {
    let recovered = Purchase(day("2024-08-09"))
    let reactivated = Purchase(day("2024-08-10"))
    #expect(try rows([first, recovered]) == [[1, 1, 0, 1], [2, 1, 1, 0]])
    #expect(try rows([first, reactivated]) == [[1, 1, 1, 0]])
  }

  @Test
  func `counts a period that a refund ended, lost unless the chain came back within 60 days`()
    throws
  {
    let refund = first.refunded(on: day("2024-05-20"))
    #expect(try rows([first, refund]) == [[1, 1, 1, 0]])
    #expect(try rows([first, refund, second]) == [[1, 1, 0, 1], [2, 1, 1, 0]])
  }

  @Test
  func `does not count free periods, periods cut short and second purchases`() throws {
    let trial = Purchase(day("2024-05-03")).asTrial(Term(days: 7))
    #expect(try rows([trial, first]) == [[1, 1, 1, 0]])
    #expect(try rows([first, Purchase(day("2024-05-20"), product: "plus")]) == [[1, 1, 1, 0]])
    #expect(try rows([first.with { $0.units = 2 }]) == [[1, 1, 1, 0]])
  }

  @Test
  func `counts a period that ended on the old billing day`() throws {
    let recovered = Purchase(day("2024-06-20"))
    let onOldDay = Purchase(day("2024-07-10"))
    let expected = [[1, 1, 0, 1], [2, 1, 0, 1], [3, 1, 1, 0]]
    #expect(try rows([first, recovered, onOldDay]) == expected)
  }

  @Test
  func `leaves out chains of unknown start and of reset ids`() throws {
    #expect(try rows([Purchase(day("2024-02-10"))]).isEmpty)
    #expect(try rows([first.with { $0.isIDReset = true }]).isEmpty)
  }
}

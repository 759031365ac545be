import SubreportTestSupport
import Tables
import Testing

@Suite("A long table")
struct LongTableTests {
  private let columns: [ReportTable.Column] = [
    .init("column", .key), .init("value", .count), .init("because", .text), .init("rows", .text),
  ]

  /// Rows with equal and missing cells.
  private func rows(_ count: Int, seed: UInt64) -> [[ReportTable.Cell]] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let value = Int.random(in: -3...3, using: &random)
      let because = Int.random(in: 0...4, using: &random)
      return [
        .text("churned"), value == 0 ? .missing : .count(value),
        .text(because == 0 ? "" : "reason \(because)"), .text("file.txt:\(number + 2)"),
      ]
    }
  }

  @Test(arguments: seeds(20))
  func `is sorted, cut and reduced to columns like a table of all rows`(seed: UInt64) throws {
    let rows = rows(300, seed: seed)
    let whole = ReportTable(name: "explain", dimensions: [], columns: columns, rows: rows)
    let long = LongTable(name: "explain", columns: columns, count: rows.count) { rows[$0] }
    #expect(long.table == whole && long.count == 300)
    let orders = ["value", "value:asc", "because", "because:desc", "rows", "none"]
    for order in [nil] + orders.map(TableShape.Order.init) {
      for top in [nil, 7, 1_000] {
        for names in [[], ["rows", "value"], ["because"]] {
          let shape = TableShape(columns: names, order: order, top: top)
          let (shaped, expected) = (long.shaped(by: shape), shape.applied(to: whole))
          #expect(shaped.table == expected, "\(shape)")
          #expect(shaped.count == expected.rows.count && shaped.header.columns == expected.columns)
          #expect(shaped.part(2..<5).rows == Array(expected.rows[2..<5]))
        }
      }
    }
  }

  @Test
  func `is kept as texts only if it is short`() {
    let rows = rows(10, seed: 1)
    let long = LongTable(name: "explain", columns: columns, count: rows.count) { rows[$0] }
    let (kept, made) = (ListedRows(long, mostKept: 10), ListedRows(long, mostKept: 9))
    #expect(kept.long == nil && made.long != nil)
    #expect(kept.table == made.table && kept.table.rows == rows)
  }
}

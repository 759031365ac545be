import Counting
import Files
import Pipeline
import Storage
import SubscriptionModel
import Tables
import Threads

/// Lists the periods and refunds of Subscriber reports that rows count.
struct ChargeEvidence {
  private let charges: KeptCharges
  private let table: ContributionTable<KeptCharges>
  /// Whether a subscription is named by the place of its first row.
  private let namesFirstRow: Bool
  private let jobs: Int
  /// The lines of the files that have been read again, by the index of the file: each is read at most once.
  private var lines: [Int: KeptCharges.LineNumbers] = [:]

  init(
    _ charges: KeptCharges, _ result: RunResult, _ naming: CustomerTable.Naming?, _ month: Month
  ) {
    self.charges = charges
    table = ContributionTable(result.names, charges, naming, month, jobs: result.plan.jobs)
    namesFirstRow = naming == nil
    jobs = result.plan.jobs
  }

  /// Writes the contributions to the rows of a table, and adds them up.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  mutating func append(
    _ rows: [EvidenceRow], to writer: inout EvidenceWriter, _ sums: inout EvidenceSums
  ) throws(KeptCharges.LineError) {
    for pass in EvidencePass.passes(for: rows) {
      let found = charges.contributions(to: pass, named: false, jobs: jobs)
      for (row, own) in zip(pass.rows, found) {
        try readLines(of: own)
        for column in row.asked.columns { try append(column, of: row, own, &writer, &sums) }
      }
    }
  }

  private func append(
    _ column: AskedRow.Column, of row: EvidenceRow, _ found: [Contribution],
    _ writer: inout EvidenceWriter, _ sums: inout EvidenceSums
  ) throws(KeptCharges.LineError) {
    let places = found.indices.filter { column.counted.contains(found[$0].counted) }
    guard column.measure.percent != nil else {
      let sum = places.reduce(Int128(0)) { $0 + found[$1].value(column.measure) }
      sums.add(column, of: row, count: places.count, sum)
      return try write(column, of: row, found, places, chosen: nil, &writer)
    }
    var list = ContributionList(column.measure, limit: nil, .subscription)
    for place in places { list.add(found[place]) }
    sums.add(column, of: row, count: list.count, list.result)
    let inOrder = Array(list.printed)
    try write(column, of: row, inOrder, Array(inOrder.indices), chosen: list.chosen, &writer)
  }

  /// Writes the contributions at some places.
  private func write(
    _ column: AskedRow.Column, of row: EvidenceRow, _ found: [Contribution], _ places: [Int],
    chosen: Int?, _ writer: inout EvidenceWriter
  ) throws(KeptCharges.LineError) {
    var start = 0
    while start < places.count {
      let end = min(start + EvidenceWriter.rowsAtOnce, places.count)
      var wanted: Set<UInt64> = []
      for place in places[start..<end] { wanted.formUnion(rows(found[place])) }
      let numbers = try charges.lines(of: wanted, lines)
      for number in start..<end {
        let one = found[places[number]]
        let isChosen = chosen == number + 1
        let cells = table.cells(
          column.name, column.measure, one, numbers,
          chosen: isChosen ? (number + 1, places.count) : nil)
        writer.append(row.keys + cells)
      }
      start = end
    }
  }

  // MARK: Lines

  /// The rows that the list names for a contribution.
  private func rows(_ one: Contribution) -> [UInt64] {
    namesFirstRow ? one.evidence + [one.rows.first] : one.evidence
  }

  /// Reads the files of some contributions, unless they have been read.
  private mutating func readLines(of found: [Contribution]) throws(KeptCharges.LineError) {
    var wanted: Set<Int> = []
    for one in found {
      for row in rows(one) { wanted.insert(Int(row >> 32)) }
    }
    let new = wanted.filter { lines[$0] == nil }.sorted()
    let read = Workers.map(count: new.count, jobs: jobs) { [charges] item in
      Result { () throws(KeptCharges.LineError) in try charges.lineNumbers(ofFile: new[item]) }
    }
    for (file, numbers) in zip(new, read) { lines[file] = try numbers.get() }
  }
}

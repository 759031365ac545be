import AppStoreReports
import Counting
package import Pipeline
import SubscriptionModel
package import Tables

extension Explanation {
  /// Explains a row of `drivers`: the contributions to each count or amount in the two months, and the formulas.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - drivers: The rows.
  ///   - maker: The maker of these rows.
  ///   - result: The result of a run that has kept its charges and its context, with the view of the question.
  ///   - listing: How contributions are listed.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, _ drivers: Drivers, _ maker: HeadlineMaker, _ result: RunResult,
    _ listing: Listing = Listing()
  ) throws {
    let driver = try question.driver(among: drivers.rows)
    var table = ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: driver.headline.measure.isMoney), rows: [])
    if driver.value == HeadlineMaker.notInView {
      self.init(
        ListedRows(table), [], DriverRest(driver, drivers).formulas(question),
        fileName: DriverFormulas.fileName)
      return
    }
    let day =
      driver.source.isOfChains
      ? result.sources.first { $0.source == driver.source }.flatMap {
        maker.dayOfSameAge(driver.against, as: driver.month, $0)
      } : nil
    let cells =
      if driver.split == .movement {
        try DriverCells.ofMovement(driver, result)
      } else if let counts = driver.counts {
        try DriverCells.ofRate(driver, counts.own, driver.month, day: day)
      } else {
        try DriverCells.ofAmount(driver, result, driver.month)
      }
    let wanted = cells.filter { !question.isOfMonths || question.asks(for: $0.name) }
    let fold = DriverFold(driver, result, listing)
    let rows = driver.source == .receipts ? "outcomes" : "rows"
    var ofMonths: DriverFormulas.Sums = [:]
    var sums: [Sum] = []
    for cell in wanted {
      let found = try fold.contributions(to: cell)
      table.rows += found.rows
      let whatSays = cell.day.map { "the \(rows) up to \($0) say" } ?? "\(fold.fileName) says"
      for (column, (count, sum)) in zip(cell.columns, found.sums) {
        sums.append(
          Sum(
            column: "\(column.name) \(cell.name)", count: count, sum: sum,
            expected: column.expected, measure: column.measure, whatSays: whatSays))
        ofMonths[cell.name, default: []].append((column.name, sum))
      }
    }
    let formulas = DriverFormulas(driver, ofMonths)
    let hasBounds = question.asks(for: "low") || question.asks(for: "high")
    let isWhole = wanted.count == cells.count
    self.init(
      ListedRows(table), sums,
      (hasBounds ? formulas.inputsOfInterval : []) + formulas.asked(question)
        + (isWhole ? formulas.ofWhole : []),
      fileName: DriverFormulas.fileName)
  }
}

extension DriverRest {
  /// The lines of the row, which has no contributions of its own.
  fileprivate func formulas(_ question: Question) -> [Formula] {
    var sums: DriverFormulas.Sums = [:]
    var own: [Formula] = []
    for part in parts where !question.isOfMonths || question.asks(for: part.month) {
      own.append(part.formula)
      sums[part.month, default: []].append((part.column, part.rest))
    }
    let formulas = DriverFormulas(driver, sums)
    return own + formulas.asked(question) + (question.isOfMonths ? [] : formulas.ofWhole)
  }
}

import Files
import Pages
import Pipeline
import Scanning
import Storage
import SubscriptionModel
import Tables

/// The subscription metrics of a set of reports and dumps of receipts, as `subreport` computes them.
///
/// All files are read once, on all processors; tables are made on demand. The same files give the
/// same numbers as `subreport report`. Memory: some 64 MiB, 48 bytes for each charge in
/// SUBSCRIBER reports, 3 KiB for each file, 2.5 KiB for each price of a product in a country and 1.5 KiB for each row
/// of a table.
///
/// ```swift
/// let analysis = try SubscriptionAnalysis(reports: [folder])
/// let churn = try analysis.churn(month: "2026-09")
/// for row in churn.rows where row.text("source") == "events" {
///   print("\(row.text("churned")) of \(row.text("active_start"))")  // 29 of 309
/// }
/// ```
public struct SubscriptionAnalysis: Sendable {
  private let result: RunResult

  /// Reads reports and dumps of receipts, and counts.
  ///
  /// Bad rows and bad files do not stop it: ``problems`` lists them.
  ///
  /// ```swift
  /// let byCountry = try SubscriptionAnalysis(reports: [folder], by: [["country"]])
  /// ```
  ///
  /// - Parameters:
  ///   - reports: Files, and folders with all their files.
  ///   - views: The views besides the whole population, each a list of dimensions by the names of
  ///     `--by` in docs/tables.md: `["country"]`, or `["product", "country"]` for each pair.
  /// - Throws: ``Failure`` for an unknown dimension, or if no file can be used.
  public init(reports: [String], by views: [[String]] = []) throws(Failure) {
    var plan = RunPlan(inputs: reports, views: [[]], jobs: Processors.count)
    plan.readsFinance = false
    for names in views {
      let view = try Self.view(names)
      if !plan.views.contains(view) { plan.views.append(view) }
    }
    result = try Self.carryOut(plan)
  }

  /// The last month that is over in all reports, such as `2026-09`.
  ///
  /// ```swift
  /// print(analysis.lastMonth)  // 2026-09
  /// ```
  public var lastMonth: String {
    result.lastCompleteMonth().map(result.plan.monthSystem.name) ?? ""
  }

  /// The problems of the files, one line each: files that cannot be used, rejected rows, missing
  /// days, and what to do about them.
  ///
  /// The lines are those of `subreport check`; empty if all is well.
  ///
  /// ```swift
  /// let missing = analysis.problems.filter { $0.hasPrefix("missing: ") }
  /// print(missing.count)  // 1
  /// ```
  public var problems: [String] {
    (result.fileDiagnostics + result.rowDiagnostics).map(\.text) + result.dataAdvice
      + result.receiptLosses
  }

  /// Returns a table of all months.
  ///
  /// ```swift
  /// let proceeds = try analysis.table(.proceeds)
  /// print(proceeds.columns.contains("net_proceeds"))  // true
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - view: The dimensions of one of the views of ``init(reports:by:)``, in the same order; none
  ///     for the whole population.
  /// - Returns: The table, with a row for each month, source and combination of the dimensions.
  /// - Throws: ``Failure`` for a view that was not counted, or if no file has data for the table.
  public func table(_ name: MetricsTable.Name, by view: [String] = []) throws(Failure)
    -> MetricsTable
  {
    MetricsTable(try reportTable(name.kind, view))
  }

  /// Returns the churn of the whole population in one month, with a row for each source.
  ///
  /// ```swift
  /// let churn = try analysis.churn(month: "2026-08")
  /// print(churn.rows[0].text("month"))  // 2026-08
  /// ```
  ///
  /// - Parameter month: The month, such as `2026-08`.
  /// - Returns: The rows of the table ``MetricsTable/Name/churn``.
  /// - Throws: ``Failure`` for a month outside the data, or if no file has data about churn.
  public func churn(month: String) throws(Failure) -> MetricsTable {
    let system = result.plan.monthSystem
    guard let wanted = system.month(named: month) else {
      throw Failure(code: "no-month", "\"\(month)\" is no month such as 2026-08")
    }
    let table = try reportTable(.churn, [])
    if let data = result.monthsOfData(for: .churn), !data.contains(wanted) {
      throw Failure(code: "no-month", "\(month): the data cover \(result.text(data))")
    }
    return MetricsTable(table.inMonths({ $0 == wanted }, system))
  }

  /// Returns every view of every table that the files allow, the whole population first.
  ///
  /// With an earlier day, the files are read again, and rows of later days are left out: the tables
  /// are those of a run on that day.
  ///
  /// ```swift
  /// let names = try analysis.tables().map(\.name.rawValue)
  /// print(names.prefix(2).joined(separator: ", "))  // churn, renewals
  /// let inJune = try analysis.tables(asOf: "2026-06-30")
  /// print(inJune[0].csv.contains("2026-07"))  // false
  /// ```
  ///
  /// - Parameter day: The last day that counts, such as `2026-06-30`; `nil` for all.
  /// - Returns: The tables.
  /// - Throws: ``Failure`` for a text that is no day, or if no file can be used up to that day.
  public func tables(asOf day: String? = nil) throws(Failure) -> [MetricsTable] {
    var result = self.result
    if let day { result = try Self.carryOut(try plan(asOf: day)) }
    do throws(ConversionError) {
      let tables = try result.tables()
      return TableKind.allCases.flatMap { tables[$0] ?? [] }.map { MetricsTable($0) }
    } catch {
      preconditionFailure("amounts are not converted")
    }
  }
}

extension SubscriptionAnalysis {
  private static func carryOut(_ plan: RunPlan) throws(Failure) -> RunResult {
    let result = Run.carryOut(plan)
    if let error = result.internalError {
      throw Failure(code: "internal-error", description: error)
    }
    guard !result.sources.isEmpty else {
      let sentence = NeededInput(Source.allCases).sentence("the analysis", result)
      throw Failure(code: "no-input", sentence)
    }
    return result
  }

  private func plan(asOf text: String) throws(Failure) -> RunPlan {
    guard let day = Day(text) else {
      throw Failure(code: "no-day", "\"\(text)\" is no day such as 2026-06-30")
    }
    var plan = result.plan
    plan.asOf = day
    plan.receipts.asOf = Instant(endOf: day)
    return plan
  }

  private func reportTable(_ kind: TableKind, _ names: [String]) throws(Failure) -> ReportTable {
    let view = try Self.view(names)
    guard let index = result.plan.views.firstIndex(of: view) else {
      let list = names.joined(separator: ",")
      throw Failure(code: "unknown-view", "the view \(list) is not counted; add it to the views")
    }
    let maker = result.tableMaker()
    guard maker.hasSource(for: kind, by: view) else {
      throw Failure(code: "no-input", NeededInput(kind).sentence(kind.rawValue, result))
    }
    do throws(ConversionError) {
      return try maker.table(kind, view: index)
    } catch {
      preconditionFailure("amounts are not converted")
    }
  }
}

extension SubscriptionAnalysis {
  /// Why there is no analysis, or no such table.
  ///
  /// ```swift
  /// do {
  ///   _ = try SubscriptionAnalysis(reports: [])
  /// } catch {
  ///   print(error.code)  // no-input
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error: `no-input`, `no-month`, `no-day`, `unknown-dimension`,
    /// `unknown-view` or `internal-error`.
    ///
    /// ```swift
    /// print(failure.code)  // no-month
    /// ```
    public let code: String

    /// The message in one line.
    ///
    /// ```swift
    /// print(failure)  // "08/2026" is no month such as 2026-08 [no-month]
    /// ```
    public let description: String

    init(code: String, description: String) {
      self.code = code
      self.description = description
    }

    init(code: String, _ message: String) {
      self.init(code: code, description: "\(message) [\(code)]")
    }
  }
}

extension SubscriptionAnalysis {
  /// Returns the dimensions of a view by their names.
  static func view(_ names: [String]) throws(Failure) -> [Dimension] {
    var view: [Dimension] = []
    for name in names {
      guard let dimension = Dimension(rawValue: name) else {
        let advice = Nearest.advice(name, among: Dimension.allCases.map(\.rawValue))
        throw Failure(code: "unknown-dimension", "no dimension \"\(name)\"; \(advice)")
      }
      guard !view.contains(dimension) else {
        throw Failure(code: "unknown-view", "the view names \(name) twice")
      }
      view.append(dimension)
    }
    return view
  }
}

import Storage
import SubscriptionModel

/// The finance files and SALES days of a run by fiscal period; they decide which lines can be computed.
struct PeriodInput {
  /// The periods with FINANCE_DETAIL.
  private var details: Set<FiscalPeriod> = []
  /// The periods with FINANCIAL of all regions, `ZZ`.
  private var singles: Set<FiscalPeriod> = []
  /// The regions with FINANCIAL of their own.
  private var regions: [FiscalPeriod: Set<String>] = [:]
  private let payments: Set<FiscalPeriod>
  private let unusablePayments: Set<FiscalPeriod>
  /// The vendors that settle a currency in a period with payments CSVs of other vendors only.
  private var unpaidVendors: [FiscalPeriod: [Symbol: Set<String>]] = [:]
  private let salesDays: Set<Day>

  /// The way to compare a period's settlement with its sales.
  enum Method {
    /// Counting units: FINANCE_DETAIL has their dates.
    case counting
    /// Estimating by settlement lags: FINANCIAL has no dates.
    case lags
    /// No comparison: there is neither FINANCE_DETAIL nor FINANCIAL.
    case none
  }

  init(_ records: FinanceData) {
    payments = Set(records.payments.map(\.period))
    unusablePayments = Set(records.unusablePayments.keys)
    salesDays = records.salesDays
    for statement in records.statements {
      switch statement.form {
      case .detail: details.insert(statement.period)
      case .single: singles.insert(statement.period)
      case .region(let code): regions[statement.period, default: []].insert(code)
      }
    }
    let paying = Dictionary(grouping: records.payments, by: \.period)
    for statement in records.statements where !statement.vendor.isEmpty {
      guard let own = paying[statement.period],
        own.allSatisfy({ !$0.vendor.isEmpty && $0.vendor != statement.vendor })
      else { continue }
      for row in statement.rows {
        unpaidVendors[statement.period, default: [:]][row.currency, default: []]
          .insert(statement.vendor)
      }
    }
  }

  /// The periods with a finance file, ascending; only these have bridges.
  var periods: [FiscalPeriod] {
    details.union(singles).union(regions.keys).union(payments).sorted()
  }

  /// Returns whether a period has a finance file.
  func hasBridges(_ period: FiscalPeriod) -> Bool { method(period) != .none || hasPayments(period) }

  func hasDetail(_ period: FiscalPeriod) -> Bool { details.contains(period) }
  func hasPayments(_ period: FiscalPeriod) -> Bool { payments.contains(period) }
  /// Returns whether a period has payments CSVs that cannot be used.
  func hasUnusablePayments(_ period: FiscalPeriod) -> Bool { unusablePayments.contains(period) }

  /// Returns the vendors that settle a currency in a period and lack the payments CSV that others have.
  func unpaidVendors(_ period: FiscalPeriod, _ currency: Symbol) -> [String] {
    unpaidVendors[period, default: [:]][currency, default: []].sorted()
  }
  func hasSales(on day: Day) -> Bool { salesDays.contains(day) }

  /// Returns whether both of the next two periods have FINANCE_DETAIL: units that are still not settled then never
  /// are.
  func isFinal(_ period: FiscalPeriod) -> Bool { hasDetail(period + 1) && hasDetail(period + 2) }

  func method(_ period: FiscalPeriod) -> Method {
    if hasDetail(period) { return .counting }
    return singles.contains(period) || regions[period] != nil ? .lags : .none
  }

  /// Returns whether the finance files have the whole settlement of a region in a period.
  func hasSettlement(_ period: FiscalPeriod, region: String) -> Bool {
    hasDetail(period) || singles.contains(period) || regions[period]?.contains(region) == true
  }

  /// Returns the regions that have FINANCIAL of their own in a period.
  func regionFiles(_ period: FiscalPeriod) -> Set<String> { regions[period, default: []] }

  /// Returns the days of a period without a SALES report.
  func missingDays(_ period: FiscalPeriod) -> [Day] {
    (period.firstDay.number...period.lastDay.number).map { Day(number: $0) }
      .filter { !salesDays.contains($0) }
  }

  /// Returns whether each of the last `count` days before a period has a SALES report.
  func hasSales(daysBefore count: Int, _ period: FiscalPeriod) -> Bool {
    count == 0 || (1...count).allSatisfy { salesDays.contains(period.firstDay - $0) }
  }
}

/// Returns a rate with six decimals, rounded half to even, such as `0.905169`.
func exactRate(_ numerator: Int128, over denominator: Int128) -> String {
  let sign: Int128 = denominator < 0 ? -1 : 1
  let millionths = (numerator * sign * 1_000_000).dividedHalfToEven(by: denominator * sign)
  let (whole, part) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
  return "\(millionths < 0 ? "-" : "")\(whole).\(String(part + 1_000_000).dropFirst())"
}

extension Array where Element: Comparable {
  /// Returns ascending elements as runs of consecutive elements: days 3, 4, 5 and 9 are 3...5 and 9...9.
  package func runs(_ next: (Element) -> Element) -> [ClosedRange<Element>] {
    var runs: [ClosedRange<Element>] = []
    for element in self {
      if let last = runs.last, next(last.upperBound) == element {
        runs[runs.count - 1] = last.lowerBound...element
      } else {
        runs.append(element...element)
      }
    }
    return runs
  }
}

extension [Day] {
  /// The sorted days as text, three or more consecutive ones as `2026-01-03 to 2026-01-07`.
  package var dayText: String {
    runs { $0 + 1 }.map { run in
      switch run.upperBound - run.lowerBound {
      case 0: "\(run.lowerBound)"
      case 1: "\(run.lowerBound), \(run.upperBound)"
      default: "\(run.lowerBound) to \(run.upperBound)"
      }
    }.joined(separator: ", ")
  }
}

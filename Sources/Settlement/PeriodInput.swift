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
  func hasBridges(_ period: FiscalPeriod) -> Bool {
    method(period) != .none || hasPayments(period)
  }

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

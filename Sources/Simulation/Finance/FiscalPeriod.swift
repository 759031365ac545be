/// A period of Apple's fiscal calendar, from a Sunday to a Saturday.
///
/// Independent of the tool's fiscal calendar, so that tests find mistakes in it.
struct FiscalPeriod {
  /// The fiscal year, named after the calendar year in which it ends.
  let year: Int
  /// The number of the period, 1 to 12.
  let number: Int
  let firstDay: Int
  let lastDay: Int

  /// The period as `FY2026-P03`.
  var text: String { "FY\(year)-P\(number, digits: 2)" }

  /// The day on which Apple pays the period.
  var paymentDay: Int { lastDay + 33 }

  /// The calendar month that the period is named after: period 1 is October of the year before.
  var month: (year: Int, month: Int) {
    number <= 3 ? (year - 1, number + 9) : (year, number - 3)
  }

  /// The month as `1225`, the form in Apple's file names.
  var monthText: String { "\(month.month, digits: 2)\(month.year % 100, digits: 2)" }

  /// The month as `December, 2025`, the form in titles.
  var monthName: String { "\(Self.monthNames[month.month - 1]), \(month.year)" }

  /// Returns the periods that overlap a range of days, both ends included, in order.
  static func all(from first: Int, to last: Int) -> [FiscalPeriod] {
    let years = CalendarDay.parts(first).year...(CalendarDay.parts(last).year + 1)
    return years.flatMap(Self.periods).filter { first <= $0.lastDay && $0.firstDay <= last }
  }

  private static func periods(of year: Int) -> [FiscalPeriod] {
    var start = lastDay(of: year - 1) + 1
    var weeks = [5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4]
    // The 53rd week of a long year is in December.
    if lastDay(of: year) - start + 1 == 53 * 7 { weeks[2] = 5 }
    return weeks.enumerated().map { index, count in
      defer { start += count * 7 }
      return FiscalPeriod(
        year: year, number: index + 1, firstDay: start, lastDay: start + count * 7 - 1)
    }
  }

  /// Returns the last Saturday of September; day 2, 1970-01-03, was a Saturday.
  private static func lastDay(of year: Int) -> Int {
    let day = CalendarDay.number(year: year, month: 9, day: 30)
    return day - (day - 2) % 7
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

/// A region in which Apple settles: some storefronts in one currency.
struct FinanceRegion {
  let code: String
  /// The name in payments files.
  let name: String
  /// The index of the currency in ``Catalog/currencies``.
  let currency: Int
  /// The codes of its storefronts.
  let stores: [String]
  /// The tax that Apple adds, per mille of the earned amount.
  var inputTaxPerMille = 0
  /// The tax that Apple withholds, per mille of the earned amount.
  var withheldPerMille = 0

  /// All regions, by code; two of them are settled in dollars.
  static let all = [
    FinanceRegion(code: "AU", name: "Australia", currency: 5, stores: ["AU"]),
    FinanceRegion(code: "BR", name: "Brazil", currency: 6, stores: ["BR"], withheldPerMille: 150),
    FinanceRegion(code: "CA", name: "Canada", currency: 4, stores: ["CA"], inputTaxPerMille: 13),
    FinanceRegion(code: "EU", name: "Euro-Zone", currency: 2, stores: ["DE", "FR"]),
    FinanceRegion(code: "GB", name: "United Kingdom", currency: 1, stores: ["GB"]),
    FinanceRegion(code: "JP", name: "Japan", currency: 3, stores: ["JP"], withheldPerMille: 204),
    FinanceRegion(code: "US", name: "Americas", currency: 0, stores: ["US"]),
    FinanceRegion(code: "WW", name: "Rest of World", currency: 0, stores: ["UA"]),
  ]

  /// The index of `WW`, where sales are settled in dollars although the storefront has its own currency.
  static let restOfWorld = all.count - 1

  /// The index in ``all`` of each storefront's region.
  static let ofStorefront = Catalog.storefronts.map { storefront in
    all.firstIndex { $0.stores.contains(storefront.code) } ?? restOfWorld
  }
}

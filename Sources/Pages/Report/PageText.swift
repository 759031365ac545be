import Counting
import Rendering
package import SubscriptionModel
package import Tables

/// Numbers, months and days as the page has them: PAGE.md, "Numbers and words".
package enum PageText {
  /// A minus sign, U+2212.
  private static let minus = "\u{2212}"

  /// Returns a count, such as `1,260`, with a minus sign below 0.
  package static func count(_ count: Int) -> String {
    count < 0 ? minus + NumberStyle.grouped(-count) : NumberStyle.grouped(count)
  }

  /// Returns a count with its sign, such as `+8`, `−7` or `0`.
  package static func signed(_ count: Int) -> String { (count > 0 ? "+" : "") + self.count(count) }

  /// Returns a sentence whose negative numbers have a minus sign in place of a hyphen.
  package static func withMinus(_ text: String) -> String {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let bytes = Array(text.utf8)
    let shown = bytes.indices.flatMap { place -> [UInt8] in
      let isSign =
        bytes[place] == UInt8(ascii: "-")
        && (place == 0 || [UInt8(ascii: " "), UInt8(ascii: "(")].contains(bytes[place - 1]))
        && place + 1 < bytes.count && digits.contains(bytes[place + 1])
      return isSign ? Array(minus.utf8) : [bytes[place]]
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns a number and its noun, such as `1 report` or `38 reports`.
  package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(self.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns a part of a count, such as `38 of 289`.
  static func part(_ part: Int, of whole: Int) -> String { "\(count(part)) of \(count(whole))" }

  /// Returns the number of currencies that are not shown, such as `2 more currencies`.
  static func moreCurrencies(_ count: Int) -> String {
    counted(count, "more currency", "more currencies")
  }

  /// Returns a share as a percentage with one decimal, rounded half to even: `13.1%`.
  package static func percent(_ numerator: Int, of denominator: Int) -> String {
    tenths(Int128(numerator) * 100, over: Int128(denominator)) + "%"
  }

  /// Returns a share as a whole percentage, such as `54%`.
  package static func whole(_ numerator: Int, of denominator: Int) -> String {
    "\((Int128(numerator) * 100).dividedHalfToEven(by: Int128(denominator)))%"
  }

  /// Returns a statistic as a percentage with one decimal; of an infinite one nothing.
  package static func percent(_ fraction: Double, sign: Bool = true) -> String {
    fraction.isFinite ? decimal(fraction * 100) + (sign ? "%" : "") : ""
  }

  /// Returns an interval, such as `9.7 to 17.5%`.
  package static func interval(_ low: Double, _ high: Double) -> String {
    "\(percent(low, sign: false)) to \(percent(high))"
  }

  /// Returns the size of a difference of rates in points, without a sign: `7.0 points`.
  package static func points(_ difference: Double) -> String {
    "\(decimal(abs(difference) * 100)) points"
  }

  /// Returns a difference of rates in points with its sign and without a unit: `+4.2`.
  package static func signedPoints(_ difference: Double) -> String {
    let text = decimal(difference * 100)
    return difference > 0 && text != "0.0" ? "+" + text : text
  }

  /// Returns a rate of a cell, such as `13.1%`; blank where it is not known.
  package static func rate(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .ratio(let above, let below): tenths(above * 100, over: below) + "%"
    case .fraction(let fraction): percent(fraction)
    default: ""
    }
  }

  /// Returns the value of a rate; `nil` where it is not known.
  package static func value(_ cell: ReportTable.Cell) -> Double? {
    switch cell {
    case .ratio(let above, let below): Double(above) / Double(below)
    case .fraction(let fraction): fraction
    case .count(let count): Double(count)
    case .money(let milliunits): Double(milliunits) / 1_000
    default: nil
    }
  }

  /// Returns an amount without its currency: below 1,000 with the currency's decimals, from there on whole.
  package static func amount(_ milliunits: Int128, _ currency: String) -> String {
    let isLarge = milliunits.magnitude >= 1_000_000
    return money(milliunits, isLarge ? 0 : CurrencyDecimals.of(currency))
  }

  /// Returns an amount to the smallest unit of its currency, such as `5,572.84`.
  package static func exact(_ milliunits: Int128, _ currency: String) -> String {
    money(milliunits, CurrencyDecimals.of(currency))
  }

  /// Returns the change of an amount with its sign, such as `+216.21`.
  package static func signedAmount(_ milliunits: Int128, _ currency: String) -> String {
    let text = amount(milliunits, currency)
    return milliunits > 0 && text.utf8.contains(where: { (0x31...0x39).contains($0) })
      ? "+" + text : text
  }

  /// Returns ``signedAmount(_:_:)`` to the smallest unit of the currency.
  static func signedExact(_ milliunits: Int128, _ currency: String) -> String {
    (milliunits > 0 ? "+" : "") + exact(milliunits, currency)
  }

  /// Returns how far an amount is from an earlier one in percent, without a sign: `12.6%`; `nil` where the earlier one
  /// is not above 0.
  package static func change(_ now: Int128, since before: Int128) -> String? {
    guard before > 0 else { return nil }
    return tenths(abs(now - before) * 100, over: before) + "%"
  }

  private static func money(_ milliunits: Int128, _ decimals: Int) -> String {
    var unit: Int128 = 1
    for _ in decimals..<3 { unit *= 10 }
    let rounded = milliunits.dividedHalfToEven(by: unit)
    let digits = String(rounded.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    let whole = NumberStyle.grouped(Int(padded.dropLast(decimals)) ?? 0)
    let text = decimals == 0 ? whole : "\(whole).\(padded.suffix(decimals))"
    return rounded < 0 ? minus + text : text
  }

  /// Returns a number with one decimal, rounded half to even.
  private static func tenths(_ numerator: Int128, over denominator: Int128) -> String {
    let tenths = (numerator * 10).dividedHalfToEven(by: denominator)
    let (whole, part) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? minus : "")\(NumberStyle.grouped(Int(whole))).\(part)"
  }

  private static func decimal(_ value: Double) -> String {
    let tenths = (value * 10).rounded(.toNearestOrEven)
    guard abs(tenths) < 1e15 else { return "" }
    return Self.tenths(Int128(tenths), over: 10)
  }

  // MARK: Days and months

  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Returns a month without its year, such as `September`; a fiscal one as `FY2026-P03`.
  package static func name(_ month: Month, _ months: MonthSystem) -> String {
    months == .fiscal ? months.name(month) : names[month.monthOfYear - 1]
  }

  /// Returns a month with its year in short, such as `Sep 2025`.
  package static func short(_ month: Month, _ months: MonthSystem) -> String {
    months == .fiscal
      ? months.name(month) : "\(names[month.monthOfYear - 1].prefix(3)) \(month.year)"
  }

  /// Returns a month in three letters, such as `Sep`; a fiscal one as `P03`.
  package static func shortest(_ month: Month, _ months: MonthSystem) -> String {
    months == .fiscal
      ? String(months.name(month).suffix(3)) : String(names[month.monthOfYear - 1].prefix(3))
  }

  /// Returns a month with its year, such as `September 2026`.
  package static func long(_ month: Month, _ months: MonthSystem) -> String {
    months == .fiscal
      ? months.name(month) : "\(names[month.monthOfYear - 1]) \(month.year)"
  }

  /// Returns a day, such as `21 September 2026`.
  package static func day(_ day: Day, year: Bool = true) -> String {
    let name = names[day.month.monthOfYear - 1]
    return "\(day.dayOfMonth) \(name)" + (year ? " \(day.month.year)" : "")
  }

  /// Returns a day in short, such as `21 Sep 2026`.
  package static func shortDay(_ day: Day, year: Bool = true) -> String {
    let name = names[day.month.monthOfYear - 1].prefix(3)
    return "\(day.dayOfMonth) \(name)" + (year ? " \(day.month.year)" : "")
  }
}

extension Month {
  /// Returns the month as `September 2026`, or `fiscal period FY2026-P12`.
  package func longName(_ system: MonthSystem) -> String {
    (system == .fiscal ? "fiscal period " : "") + PageText.long(self, system)
  }
}

extension String {
  /// The text with a capital first letter: `Fiscal period FY2026-P12` of `fiscal period FY2026-P12`; only ASCII
  /// changes.
  package var capitalizedFirst: String {
    guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return self
    }
    return String(UnicodeScalar(first - 32)) + dropFirst()
  }
}

extension SourceReport.State {
  /// The state in the words of the page; blank where nothing known is outstanding.
  var onPage: String {
    switch self {
    case .partial: "incomplete"
    case .provisional: "can still change"
    case .final: ""
    }
  }
}

extension Completeness.Gap {
  /// The reason in words, such as `days are missing`.
  var reason: String {
    switch self {
    case .leftOutRecords: "records after as-of are left out"
    case .missingDays: "days are missing"
    case .sharedFiles: "its files cover other days too"
    }
  }
}

extension TwoMonths.Ratio {
  /// The counts in words, such as `38 of 289`.
  var words: String { PageText.part(numerator, of: denominator) }

  /// The rate as a percentage with one decimal.
  var percent: String { PageText.percent(numerator, of: denominator) }
}

extension HeadlineValue {
  /// The counts of a rate; `nil` where they are not known.
  var ratio: TwoMonths.Ratio? {
    guard let above = counts[0].count, let below = counts[1].count else { return nil }
    return TwoMonths.Ratio(numerator: above, denominator: below)
  }
}

package import Tables

/// How numbers become text on terminals and pages: with thousands grouped, amounts with their currency's decimals.
extension NumberStyle {
  /// Returns a count with its thousands grouped: 1234567 is `1,234,567`.
  ///
  /// - Parameter count: The count.
  /// - Returns: The exact number.
  package static func grouped(_ count: Int) -> String { grouped(String(count)) }

  /// Returns an amount for people: 1,234,560 milliunits are `1,234.56` USD and `1,234.56` JPY, 1,234,000 `1,234` JPY.
  ///
  /// An amount has its currency's decimals, and two or three where it has a part of the smallest unit: nothing is rounded.
  ///
  /// - Parameters:
  ///   - milliunits: The amount in thousandths.
  ///   - currency: The code of the currency, which is not printed; blank if it is not known.
  /// - Returns: The exact amount.
  package static func amount(milliunits: Int128, currency: String) -> String {
    let needed = milliunits % 1_000 == 0 ? 0 : milliunits % 10 == 0 ? 2 : 3
    let decimals = max(CurrencyDecimals.of(currency), needed)
    let digits = money(milliunits: milliunits)
    guard let point = digits.firstIndex(of: ".") else { return grouped(digits) }
    let fraction = digits[digits.index(after: point)...]
    let whole = grouped(String(digits[..<point]))
    if decimals == 0 { return whole }
    let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
    return whole + "." + fraction.prefix(decimals) + zeros
  }

  /// Returns the usual number of decimals of a currency's amounts: 2 for USD, 0 for JPY, 3 for KWD.
  ///
  /// - Parameter currency: The code of the currency.
  /// - Returns: 0, 2 or 3.
  package static func decimals(of currency: String) -> Int { CurrencyDecimals.of(currency) }

  /// Returns a difference with its sign: `+8`, `-19.17`, and of rates in points `-3.10`.
  ///
  /// A difference that is printed as zero has no sign.
  ///
  /// - Parameters:
  ///   - change: The difference of two numbers.
  ///   - currency: The code of an amount's currency; blank if it is not known.
  /// - Returns: The difference without a unit; `nil` for words, statistics and missing cells.
  package static func signed(_ change: ReportTable.Cell, currency: String = "") -> String? {
    let digits: String
    switch change {
    case .count(let count): digits = grouped(count)
    case .ratio(let numerator, let denominator):
      digits = grouped(String(percentage(numerator, over: denominator).dropLast()))
    case .money(let milliunits): digits = amount(milliunits: milliunits, currency: currency)
    case .hundredths(let hundredths): digits = grouped(self.hundredths(hundredths))
    case .fraction(let fraction):
      guard let text = percentage(fraction) else { return nil }
      digits = grouped(String(text.dropLast()))
    case .missing, .text: return nil
    }
    let isPositive = !digits.hasPrefix("-") && digits.contains { ("1"..."9").contains($0) }
    return isPositive ? "+" + digits : digits
  }

  /// Groups the thousands before the point of a printed number.
  static func grouped(_ number: String) -> String {
    let bytes = Array(number.utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let first = bytes.firstIndex(where: digits.contains) ?? bytes.endIndex
    let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
    guard end - first > 3 else { return number }
    var grouped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index > first, index < end, (end - index).isMultiple(of: 3) {
        grouped.append(UInt8(ascii: ","))
      }
      grouped.append(byte)
    }
    return String(decoding: grouped, as: UTF8.self)
  }
}

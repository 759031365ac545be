/// Returns a price with its currency, as in views by `price`.
///
/// - Parameters:
///   - milliunits: The price; the sign is not printed.
///   - currency: The currency's code; empty for none.
/// - Returns: The price with two decimals, or three if necessary, such as `9.99 USD`.
package func priceText(_ milliunits: Int64, currency: String) -> String {
  let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1_000)
  var text = String(whole)
  let hasTwoDecimals = thousandths % 10 == 0
  let decimals = hasTwoDecimals ? thousandths / 10 : thousandths
  text += hasTwoDecimals || decimals >= 100 ? "." : ".0"
  if decimals < 10 { text += "0" }
  text += String(decimals)
  if !currency.isEmpty {
    text += " "
    text += currency
  }
  return text
}

/// Returns an amount with its sign, for causes, evidence and messages, such as `-12.34` for -12,340
/// milliunits.
package func exactAmount(_ milliunits: Int128) -> String {
  let size = priceText(Int64(clamping: milliunits.magnitude), currency: "")
  return milliunits < 0 ? "-" + size : size
}

/// Returns a price with its currency, as views by `price` print it.
///
/// - Parameters:
///   - milliunits: The price; its sign is left out.
///   - currency: The currency's code; empty when it is not known.
/// - Returns: The price with two decimals, or three when it needs them, such as `9.99 USD`.
public func priceText(_ milliunits: Int64, currency: String) -> String {
  let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1_000)
  var decimals = String(thousandths + 1_000).dropFirst()
  if decimals.last == "0" { decimals.removeLast() }
  return currency.isEmpty ? "\(whole).\(decimals)" : "\(whole).\(decimals) \(currency)"
}

/// Returns an amount with its sign as text for causes, evidence and messages: 12,340 milliunits are `12.34`.
package func exactAmount(_ milliunits: Int128) -> String {
  let size = priceText(Int64(clamping: milliunits.magnitude), currency: "")
  return milliunits < 0 ? "-" + size : size
}

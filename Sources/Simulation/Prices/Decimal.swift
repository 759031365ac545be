/// A non-negative decimal number, stored as an integer count of its smallest digit.
struct Decimal {
  let value: Int

  /// Reads digits with at most `digits` decimals after a point; returns nil for any other text.
  init?(_ text: String, digits: Int) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = parts.first, (1...9).contains(whole.count), fraction.count <= digits,
      parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = Int(whole + fraction + String(repeating: "0", count: digits - fraction.count))
    else { return nil }
    self.value = value
  }
}

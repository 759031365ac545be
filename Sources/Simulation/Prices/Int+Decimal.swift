extension Int {
  /// Reads a decimal number as a count of its smallest digit: `9.99` with two digits is 999.
  ///
  /// It has at most `digits` decimals after a point and no sign; any other text gives nil.
  init?(decimal text: String, digits: Int) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = parts.first, (1...9).contains(whole.count), fraction.count <= digits,
      parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init("\(whole)\(fraction)\(String(repeating: "0", count: digits - fraction.count))")
  }
}

public import Metrics
import Scanning
import SubscriptionModel

/// Reads the `--rates` file: CSV `date,from,to,rate` with a header.
public enum RatesFile {
  /// Why a rates file cannot be used, as one line.
  public struct Problem: Error, Equatable, Sendable {
    /// `FILE:LINE:FIELD: error: …`.
    public let message: String
  }

  /// Reads rates.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  ///   - target: The currency to convert to; rates to others are skipped.
  /// - Returns: The rates to the target.
  /// - Throws: ``Problem`` for the first bad line.
  public static func read(
    _ text: String, path: String, target: String
  ) throws(Problem) -> CurrencyConversion {
    var conversion = CurrencyConversion(to: target)
    let text =
      text.unicodeScalars.first == "\u{FEFF}"
      ? Substring(text.unicodeScalars.dropFirst()) : Substring(text)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let place = "\(path):\(index + 1)"
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if index == 0 {
        guard cells == ["date", "from", "to", "rate"] else {
          throw Problem(
            message:
              "\(place):1: error: found \(quotedExcerpt(line)), expected date,from,to,rate [bad-rates]"
          )
        }
        continue
      }
      guard cells.count == 4 else {
        throw Problem(
          message:
            "\(place):1: error: found \(counted(cells.count, "cell")), expected 4, as the header has [bad-rates]"
        )
      }
      guard let day = Day(cells[0]) else {
        throw Problem(
          message:
            "\(place):1: error: found \(quotedExcerpt(cells[0])), expected a day such as 2026-09-30 [bad-rates]"
        )
      }
      guard let rate = rate(cells[3]) else {
        throw Problem(
          message:
            "\(place):4: error: found \(quotedExcerpt(cells[3])), expected a rate above 0 such as 1.0842 [bad-rates]"
        )
      }
      if cells[2] == target { conversion.add(rate, from: cells[1], on: day) }
    }
    return conversion
  }

  private static func rate(_ text: String) -> CurrencyConversion.Rate? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let digits = parts.joined()
    let decimals = parts.count == 2 ? parts[1].count : 0
    guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      decimals <= 12, let number = Int64(digits), number > 0
    else { return nil }
    return CurrencyConversion.Rate(numerator: number, scale: decimals)
  }
}

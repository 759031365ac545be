import Scanning
import SubscriptionModel

/// Reads the billing plan of a one-year product from its columns (METRICS.md 10.1, FORMATS.md 2.8).
struct BillingPlanReader {
  private let plans: [Int]
  private let period: Int

  init(_ header: ReportHeader) {
    plans = header.fields(.billingPlan)
    period = header.fieldOrNone(.billingPeriod)
  }

  /// Reads the plan of a row.
  ///
  /// Example: `Monthly` and `5th` are the fifth instalment of a commitment. Blank fields are ignored.
  ///
  /// - Returns: The plan and the number of the instalment; `nil` and 0 where the row does not state them.
  func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> (plan: BillingPlan?, position: UInt8) {
    if let position = position(text(line, row.content(line, period))) {
      return (.commitment, position)
    }
    for field in plans where !row.content(line, field).isEmpty {
      let word = text(line, row.content(line, field)).lowercased()
      return (Self.monthlyWords.contains(word) ? .commitment : .upfront, 0)
    }
    return (nil, 0)
  }

  private static let monthlyWords: Set<String> = ["monthly", "month", "1 month"]

  /// Returns the number of `1st` to `12th` or `1` to `12`; `nil` for other words.
  private func position(_ text: String) -> UInt8? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count).lowercased()
    guard let number = UInt8(digits), (1...12).contains(number),
      ["", "st", "nd", "rd", "th"].contains(rest)
    else { return nil }
    return number
  }
}

package import Storage

/// The settings that decide how copies of receipts become customers, chains and periods.
package struct ReceiptSettings: Sendable {
  /// Seconds by which a renewal may be late in production: METRICS.md 3.9.
  package static let productionTolerance = 3_600
  /// Seconds by which a renewal may be late in a sandbox, where months last minutes.
  package static let sandboxTolerance = 60
  /// Seconds for which Apple retries billing, 60 days: a charge within them is a recovery.
  package static let retrySeconds = 5_184_000
  /// Seconds for which Apple retries billing of an instalment, 90 days.
  package static let instalmentRetrySeconds = 7_776_000
  /// Seconds after the end of an instalment within which another charge counts as a change, 2 days.
  static let changeSeconds = 172_800
  /// Seconds after another product's purchase within which a cancellation is an upgrade: METRICS.md 3.8.
  static let upgradeSeconds = 300
  /// Seconds from an expiry within which a purchase of the same product is its renewal: METRICS.md 3.8.
  static let renewalSeconds = 60
  /// Seconds by which Apple may charge a renewal early, 24 hours: METRICS.md 3.8.
  static let earlyChargeSeconds = 86_400

  /// The text of each symbol, to sort ids that are not numbers.
  package var symbols: [String]
  /// Seconds by which a renewal may be late: ``productionTolerance`` or ``sandboxTolerance``.
  package var toleranceSeconds: Int
  /// The user's as-of; `nil` to use the newest response's.
  package var asOf: Instant?
  /// The groups of products without a group in receipts: `[groups]` of the config.
  package var groups: [Symbol: Symbol] = [:]
  /// The durations of non-renewing subscriptions: `[durations]` of the config.
  package var durations: [Symbol: Term] = [:]
  /// The billing plans of products, by product id: `[plans]` of the config.
  package var billingPlans: [Symbol: BillingPlanRule] = [:]

  /// Creates settings.
  package init(
    symbols: [String], toleranceSeconds: Int = ReceiptSettings.productionTolerance,
    asOf: Instant? = nil
  ) {
    self.symbols = symbols
    self.toleranceSeconds = toleranceSeconds
    self.asOf = asOf
  }
}

extension ReceiptID {
  /// Returns the id as it was written.
  ///
  /// - Parameter symbols: The text of each symbol.
  /// - Returns: The text, empty for no id.
  package func text(_ symbols: [String]) -> String {
    if let symbol { return symbols[Int(symbol)] }
    return isUsable ? String(value) : ""
  }

  /// Returns whether the id sorts before another one: no id first, then shorter ids, then by bytes.
  ///
  /// Numbers are then in the order of their values.
  func precedes(_ other: ReceiptID, _ symbols: [String]) -> Bool {
    if symbol == nil, other.symbol == nil { return value < other.value }
    let texts = (text(symbols), other.text(symbols))
    if texts.0.utf8.count != texts.1.utf8.count {
      return texts.0.utf8.count < texts.1.utf8.count
    }
    return texts.0.precedes(texts.1)
  }
}

/// What a subscription event means: METRICS.md section 4.
public enum EventClass: UInt8, Sendable, CaseIterable {
  case refund, lapse, retry, grace, reactivation, recovery, start, conversion, change, renewal
  /// A name that no rule covers: kept with its quantity, but counted in no figure.
  case unknown
}

/// Why a subscription lapsed.
public enum LapseReason: UInt8, Sendable, CaseIterable {
  case voluntary, billing, price, refund, removed, other, unknown
}

/// All fields of a SUBSCRIPTION_EVENT row except its days, its paid periods and its quantity.
public struct EventTerms: Hashable, Sendable {
  /// The values that views can group by.
  public var attributes: Attributes
  /// What the event means.
  public var eventClass: EventClass
  /// The event's raw name.
  public var name: Symbol
  /// Whether the name is a `Downgrade`, which takes effect at renewal.
  public var isDowngrade = false
  /// Whether the name is `Renew`, ignoring an ending such as `with Upgrade`.
  public var isPlainRenewal = false
  /// Whether a lapse followed billing retry or a grace period, or a retry followed a grace period.
  public var isFromRetryOrGrace = false
  /// Why a lapse happened.
  public var reason = LapseReason.unknown
  /// The Apple ID of the product before a change; blank when the row names none.
  public var previousProduct = Symbol.blank
  /// The name of the product before a change.
  public var previousProductName = Symbol.blank

  /// Creates terms.
  public init(attributes: Attributes, eventClass: EventClass, name: Symbol) {
    self.attributes = attributes
    self.eventClass = eventClass
    self.name = name
  }
}

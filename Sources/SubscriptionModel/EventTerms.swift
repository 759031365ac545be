public import Storage

/// The class of a subscription event: METRICS.md section 4.
public enum EventClass: UInt8, Sendable, CaseIterable {
  case refund, lapse, retry, grace, reactivation, recovery, start, conversion, change, renewal
  /// A name that matches no rule: listed with its quantity, but not counted in a table.
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
  /// The class of the event.
  public var eventClass: EventClass
  /// The event's name as in the report.
  public var name: Symbol
  /// Whether the event is a downgrade, which takes effect at renewal.
  public var isDowngrade = false
  /// Whether the name is `Renew`, apart from an ending such as `with Upgrade`.
  public var isPlainRenewal = false
  /// Whether a lapse followed billing retry or a grace period, or a retry followed a grace period.
  public var isFromRetryOrGrace = false
  /// The reason of a lapse.
  public var reason = LapseReason.unknown
  /// The Apple ID of the product before a change; blank if the row has none.
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

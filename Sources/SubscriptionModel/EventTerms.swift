package import Storage

/// The class of a subscription event: METRICS.md section 4.
package enum EventClass: UInt8, Sendable, CaseIterable {
  case refund, lapse, retry, grace, reactivation, recovery, start, conversion, change, renewal
  /// A name that matches no rule: listed with its quantity, but not counted in a table.
  case unknown
}

/// Why a subscription lapsed.
package enum LapseReason: UInt8, Sendable, CaseIterable {
  case voluntary, billing, price, refund, removed, other, unknown
}

/// All fields of a SUBSCRIPTION_EVENT row except its days, its paid periods and its quantity.
package struct EventTerms: Hashable, Sendable {
  /// The values that views can group by.
  package var attributes: Attributes
  /// The class of the event.
  package var eventClass: EventClass
  /// The event's name as in the report.
  package var name: Symbol
  /// Whether the event is a downgrade, which takes effect at renewal.
  package var isDowngrade = false
  /// Whether the name is `Renew`, apart from an ending such as `with Upgrade`.
  package var isPlainRenewal = false
  /// Whether a lapse followed billing retry or a grace period, or a retry followed a grace period.
  package var isFromRetryOrGrace = false
  /// The reason of a lapse.
  package var reason = LapseReason.unknown
  /// The Apple ID of the product before a change; blank if the row has none.
  package var previousProduct = Symbol.blank
  /// The name of the product before a change.
  package var previousProductName = Symbol.blank

  /// Creates terms.
  package init(attributes: Attributes, eventClass: EventClass, name: Symbol) {
    self.attributes = attributes
    self.eventClass = eventClass
    self.name = name
  }
}

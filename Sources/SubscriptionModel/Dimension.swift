package import Storage

/// A property that views can group rows by: METRICS.md section 1.
package enum Dimension: String, CaseIterable, Sendable {
  case app, group, product, duration, country, device, client, offer, price
  case proceedsRate = "proceeds_rate"
  case preserved, plan, contingent
  case startMonth = "start_month"
  case startQuarter = "start_quarter"
  case startWeek = "start_week"
}

/// The kind of input that a number is computed from: METRICS.md section 1.
package enum Source: String, CaseIterable, Comparable, Sendable {
  case events, receipts, sales, subscribers

  /// The dimensions for which the source has data.
  package var dimensions: Set<Dimension> {
    switch self {
    case .subscribers: Set(Dimension.allCases)
    case .events: Set(Dimension.allCases).subtracting([.offer, .price, .plan, .contingent])
    case .receipts:
      [
        .app, .group, .product, .offer, .country, .price, .plan, .startMonth, .startQuarter,
        .startWeek,
      ]
    case .sales:
      [.product, .country, .device, .client, .price, .proceedsRate, .preserved, .contingent]
    }
  }

  /// Orders sources by name.
  package static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}

extension Attributes {
  /// Returns the value of a dimension.
  ///
  /// - Parameter dimension: The dimension.
  /// - Returns: The value's symbol; `nil` for a dimension of the whole chain, such as its start.
  package func value(of dimension: Dimension) -> Symbol? {
    switch dimension {
    case .app: app
    case .group: group
    case .product: product
    case .duration: duration
    case .country: country
    case .device: device
    case .client: client
    case .price: price
    case .proceedsRate: proceedsRate
    case .preserved: preserved
    case .plan: plan
    case .contingent: contingent
    case .offer, .startMonth, .startQuarter, .startWeek: nil
    }
  }
}

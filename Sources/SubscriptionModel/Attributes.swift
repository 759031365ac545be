public import Storage

/// The values of a report row that views can group by.
///
/// Each value is the symbol of its text, blank if the row has none. Many rows have the same
/// attributes, so each distinct combination is stored once.
public struct Attributes: Hashable, Sendable {
  /// The app's Apple ID.
  public var app = Symbol.blank
  /// The app's name on this row.
  public var appName = Symbol.blank
  /// The subscription group's id.
  public var group = Symbol.blank
  /// The product's Apple ID.
  public var product = Symbol.blank
  /// The product's name on this row.
  public var productName = Symbol.blank
  /// The standard duration, such as `1 Month`.
  public var duration = Symbol.blank
  /// The 2-letter storefront code.
  public var country = Symbol.blank
  /// The device, as Apple writes it.
  public var device = Symbol.blank
  /// The client, such as `News`.
  public var client = Symbol.blank
  /// The customer price with its currency, such as `9.99 USD`.
  public var price = Symbol.blank
  /// `standard` or `after_one_year`.
  public var proceedsRate = Symbol.blank
  /// `yes` or `no`.
  public var preserved = Symbol.blank

  /// `upfront`, `commitment` or `unknown`; blank until the run has determined which products are
  /// sold in instalments.
  public var plan = Symbol.blank
  /// Whether the price was lower because of another subscription: `yes`, `no`, or `unknown` without
  /// the column.
  public var contingent = Symbol.blank

  /// Creates blank attributes.
  public init() {}
}

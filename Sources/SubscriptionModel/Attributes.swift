package import Storage

/// The values of a report row that views can group by.
///
/// Each value is the symbol of its text, blank if the row has none. Many rows have the same
/// attributes, so each distinct combination is stored once.
@usableFromInline
package struct Attributes: Hashable, Sendable {
  /// The app's Apple ID.
  package var app = Symbol.blank
  /// The app's name on this row.
  package var appName = Symbol.blank
  /// The subscription group's id.
  package var group = Symbol.blank
  /// The product's Apple ID.
  package var product = Symbol.blank
  /// The product's name on this row.
  package var productName = Symbol.blank
  /// The standard duration, such as `1 Month`.
  package var duration = Symbol.blank
  /// The 2-letter storefront code.
  package var country = Symbol.blank
  /// The device, as Apple writes it.
  package var device = Symbol.blank
  /// The client, such as `News`.
  package var client = Symbol.blank
  /// The customer price with its currency, such as `9.99 USD`.
  package var price = Symbol.blank
  /// `standard` or `after_one_year`.
  package var proceedsRate = Symbol.blank
  /// `yes` or `no`.
  package var preserved = Symbol.blank

  /// `upfront`, `commitment` or `unknown`; blank until the run has determined which products are
  /// sold in instalments.
  package var plan = Symbol.blank
  /// Whether the price was lower because of another subscription: `yes`, `no`, or `unknown` without
  /// the column.
  package var contingent = Symbol.blank

  /// Creates blank attributes.
  package init() {}
}

package import SubscriptionModel

/// A piece of content from the `--content` file, with its publication time.
package struct PublishedItem: Equatable, Sendable {
  /// The content's id.
  package var id: String
  /// When it was published.
  package var published: Instant
  /// The app that shows it; blank for any.
  package var app = ""
  /// The subscription group that opens it; blank for any.
  package var group = ""
  /// The product that opens it; blank for any.
  package var product = ""
}

public import SubscriptionModel

/// A piece of content from the `--content` file, with its publication time.
public struct PublishedItem: Equatable, Sendable {
  /// The content's id.
  public var id: String
  /// When it was published.
  public var published: Instant
  /// The app that shows it; blank for any.
  public var app = ""
  /// The subscription group that opens it; blank for any.
  public var group = ""
  /// The product that opens it; blank for any.
  public var product = ""
}

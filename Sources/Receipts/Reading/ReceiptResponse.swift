public import SubscriptionModel

/// One thing that Apple answered or sent: everything in it is about one customer (METRICS.md 3.2).
public struct ReceiptResponse: Sendable {
  /// Where the App Store of a response is.
  public enum Environment: Sendable {
    case production
    /// Sandbox, Xcode or local testing.
    case nonProduction
    /// The response does not say: it counts as production, and in health.
    case missing
  }

  /// What it is.
  public let kind: ReceiptKind
  /// Its own as-of: METRICS.md 3.7.
  public let madeAt: Instant
  /// Its environment, from all that it says of it: METRICS.md 3.1.
  public let environment: Environment
  /// The app's bundle id; blank when the response does not say.
  public let app: Symbol
  /// The UUID of a notification, version 2, the same each time that Apple sends it; nil for all else.
  public let notificationUUID: UInt128?
  /// Whether a given root vouches for everything in it; `false` where nothing is verified.
  public let isVerified: Bool

  /// Whether it is a server notification, version 1 or 2.
  public var isNotification: Bool { kind == .notificationV1 || kind == .notificationV2 }
}

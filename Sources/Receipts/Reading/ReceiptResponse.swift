public import SubscriptionModel

/// One answer or notification of Apple; everything in it is about one customer (METRICS.md 3.2).
public struct ReceiptResponse: Sendable {
  /// The App Store environment of a response.
  public enum Environment: Sendable {
    case production
    /// Sandbox, Xcode or local testing.
    case nonProduction
    /// Not stated: counts as production, and is reported in health.
    case missing
  }

  /// The kind of the response.
  public let kind: ReceiptKind
  /// The as-of of the response (METRICS.md 3.7).
  public let madeAt: Instant
  /// The environment, from every part that states one (METRICS.md 3.1).
  public let environment: Environment
  /// The app's bundle id; blank if the response does not state it.
  public let app: Symbol
  /// The UUID of a notification V2, the same each time that Apple sends it; nil for other kinds.
  public let notificationUUID: UInt128?
  /// Whether every part has a signature that leads to a given root; `false` without verification.
  public let isVerified: Bool

  /// Whether it is a server notification, version 1 or 2.
  public var isNotification: Bool { kind == .notificationV1 || kind == .notificationV2 }
}

public import Receipts
public import SubscriptionModel
public import UserTables

/// The options for reading receipts.
public struct ReceiptPlan: Sendable {
  /// The environments whose receipts count.
  public enum Environment: String, CaseIterable, Sendable {
    case production, sandbox, all
  }

  /// The environment whose receipts count.
  public var environment = Environment.production
  /// The assignments that join customers across apps and platforms.
  public var identities: [IdentitiesFile.Identity] = []
  /// The subscription groups of products, by product id.
  public var groups: [String: String] = [:]
  /// The durations of products without an expiry, by product id.
  public var durations: [String: Term] = [:]
  /// The user's column names for tables of receipts, if given.
  public var columns: ReceiptColumns?
  /// The root certificates to which signatures must lead; `nil` when signatures are not checked.
  public var roots: RootCertificates?
  /// The instant after which receipts are ignored; `nil` for no limit.
  public var asOf: Instant?
  /// The requested table with one row per customer or period, and how it names customers.
  public var customerTable: CustomerTable?

  /// Creates a plan that reads production receipts without further options.
  public init() {}
}

/// A table of receipts with one row per customer, chain or period.
public struct CustomerTable: Sendable {
  /// The kind of table.
  public enum Kind: Sendable {
    case timeline, chains, eligibility
    /// The content that each customer may access.
    case access([PublishedItem])
  }

  /// How customers are named.
  public enum Naming: Sendable {
    /// By their ids, which are personal.
    case clear
    /// By HMAC-SHA-256 of their ids with a secret key, cut to 16 digits.
    case anonymous(key: String)
  }

  /// The kind of table.
  public var kind: Kind
  /// How customers are named.
  public var naming: Naming

  /// Creates the request for a table.
  ///
  /// - Parameters:
  ///   - kind: The kind of table.
  ///   - naming: How customers are named.
  public init(_ kind: Kind, naming: Naming) {
    self.kind = kind
    self.naming = naming
  }
}

public import Receipts
public import SubscriptionModel

/// How a run reads receipts.
public struct ReceiptPlan: Sendable {
  /// Which records count.
  public enum Environment: String, CaseIterable, Sendable {
    case production, sandbox, all
  }

  /// One line of the `--identities` file.
  public struct Identity: Equatable, Sendable {
    /// What the id is.
    public enum Key: Equatable, Sendable {
      case originalTransactionID(String)
      case appAccountToken(String)
    }

    /// The customer's name.
    public var customer: String
    /// The id that is the customer's.
    public var key: Key

    /// Names the customer of an id.
    ///
    /// - Parameters:
    ///   - customer: The customer's name.
    ///   - key: The id that is the customer's.
    public init(customer: String, key: Key) {
      self.customer = customer
      self.key = key
    }
  }

  /// Which records count.
  public var environment = Environment.production
  /// What joins customers across apps and platforms.
  public var identities: [Identity] = []
  /// The subscription groups of products, by product id.
  public var groups: [String: String] = [:]
  /// How long products without an expiry run, by product id.
  public var durations: [String: Term] = [:]
  /// What the columns of tables of receipts hold, when the user names them.
  public var columns: ReceiptColumns?
  /// The roots that signatures must lead to; `nil` when signatures are not checked.
  public var roots: RootCertificates?
  /// The instant after which records are ignored; `nil` takes all.
  public var asOf: Instant?
  /// The table with one row per customer or period that is wanted, and how customers are named in it.
  public var customerTable: CustomerTable?

  /// A plan that reads production receipts as they are.
  public init() {}
}

/// A table of receipts with one row per customer, chain or period.
public struct CustomerTable: Sendable {
  /// Which table.
  public enum Kind: Sendable {
    case timeline, chains, eligibility
    /// Which of the content each customer may read.
    case access([PublishedItem])
  }

  /// How customers are named.
  public enum Naming: Sendable {
    /// By their ids, which are personal.
    case clear
    /// By HMAC-SHA-256 of their ids with a secret key, cut to 16 digits.
    case anonymous(key: String)
  }

  /// Which table.
  public var kind: Kind
  /// How customers are named.
  public var naming: Naming

  /// Creates the wish for a table.
  ///
  /// - Parameters:
  ///   - kind: Which table.
  ///   - naming: How customers are named.
  public init(_ kind: Kind, naming: Naming) {
    self.kind = kind
    self.naming = naming
  }
}

/// A piece of content that was published at some time, of the `--content` file.
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

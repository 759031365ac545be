package import Receipts
package import Storage
package import SubscriptionModel

/// The options for reading receipts.
package struct ReceiptPlan: Sendable {
  /// The environments whose receipts count.
  package enum Environment: String, CaseIterable, Sendable {
    case production, sandbox, all
  }

  /// The environment whose receipts count.
  package var environment = Environment.production
  /// The assignments that join customers across apps and platforms.
  package var identities: [IdentitiesFile.Identity] = []
  /// The subscription groups of products, by product id.
  package var groups: [ExactText: String] = [:]
  /// The durations of products without an expiry, by product id.
  package var durations: [ExactText: Term] = [:]
  /// The user's column names for tables of receipts, if given.
  package var columns: ReceiptColumns?
  /// The root certificates to which signatures must lead; `nil` when signatures are not checked.
  package var roots: RootCertificates?
  /// The instant after which receipts are ignored; `nil` for no limit.
  package var asOf: Instant?
  /// The requested table with one row per customer or period, and how it names customers.
  package var customerTable: CustomerTable?

  /// Creates a plan that reads production receipts without further options.
  package init() {}
}

/// A table of receipts with one row per customer, chain or period.
package struct CustomerTable: Sendable {
  /// The kind of table.
  package enum Kind: Sendable {
    case timeline, chains, eligibility
    /// The content that each customer may access.
    case access([PublishedItem])
  }

  /// How customers are named.
  package enum Naming: Sendable {
    /// By their ids, which are personal.
    case clear
    /// By HMAC-SHA-256 of their ids with a secret key, cut to 16 digits.
    case anonymous(key: String)
  }

  package var kind: Kind
  /// How customers are named.
  package var naming: Naming

  package init(_ kind: Kind, naming: Naming) {
    self.kind = kind
    self.naming = naming
  }
}

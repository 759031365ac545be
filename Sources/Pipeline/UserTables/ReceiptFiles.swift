package import SubscriptionModel

/// Reads the `--identities` file: CSV `customer,original_transaction_id` or `customer,app_account_token`.
package enum IdentitiesFile {
  /// A customer's name for one id; a line with ids in both columns gives two.
  package struct Identity: Equatable, Sendable {
    /// The kind of the id, with its text.
    package enum Key: Equatable, Sendable {
      case originalTransactionID(String)
      case appAccountToken(String)
    }

    /// The customer's name.
    package var customer: String
    /// The id of the customer.
    package var key: Key
  }

  private static let keys = ["original_transaction_id", "app_account_token"]
  /// The possible columns, for messages.
  package static let forms =
    "customer,original_transaction_id or customer,app_account_token"

  /// Reads the file's text; returns the identities in its order.
  package static func read(
    _ text: String, path: String
  ) throws(TableError) -> [Identity] {
    let table = try UserTable(text, path: path, forms: keys.map { ["customer", $0] })
    var identities: [Identity] = []
    for row in table.rows {
      guard !row["customer"].isEmpty else {
        throw row.error("customer", expected: "the name of a customer")
      }
      let original = row[keys[0]]
      let token = row[keys[1]]
      guard !original.isEmpty || !token.isEmpty else {
        throw row.error(keys.first(where: table.columns.contains) ?? "", expected: "an id")
      }
      // A tab in place of a comma, or a lost line end, would make one unknown id of two.
      for key in keys where row[key].contains(where: \.isWhitespace) {
        throw row.error(key, expected: "one id")
      }
      if !original.isEmpty {
        identities.append(.init(customer: row["customer"], key: .originalTransactionID(original)))
      }
      if !token.isEmpty {
        identities.append(.init(customer: row["customer"], key: .appAccountToken(token)))
      }
    }
    return identities
  }
}

/// Reads the `--content` file: CSV `id,published` with optional `app,group,product`.
package enum ContentFile {
  /// Reads the file's text; returns the items in its order.
  package static func read(_ text: String, path: String) throws(TableError) -> [PublishedItem] {
    let table = try UserTable(
      text, path: path, forms: [["id", "published"]],
      expected: "id,published and, if wanted, app,group,product")
    var items: [PublishedItem] = []
    for row in table.rows {
      let published = row["published"]
      guard let instant = Instant(published) ?? Day(published).flatMap(Instant.init(startOf:))
      else {
        throw row.error("published", expected: "a day such as 2026-09-30 or an instant with Z")
      }
      guard !row["id"].isEmpty else { throw row.error("id", expected: "an id") }
      items.append(
        PublishedItem(
          id: row["id"], published: instant, app: row["app"], group: row["group"],
          product: row["product"]))
    }
    return items
  }
}

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

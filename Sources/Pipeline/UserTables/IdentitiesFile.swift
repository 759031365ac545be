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

    package init(customer: String, key: Key) {
      self.customer = customer
      self.key = key
    }
  }

  private static let keys = ["original_transaction_id", "app_account_token"]
  /// The possible columns, for messages.
  package static let forms =
    "customer,original_transaction_id or customer,app_account_token"

  /// Reads identities.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The identities, in the order of the file.
  /// - Throws: ``TableError`` for the first invalid line.
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

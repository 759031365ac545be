package import SubscriptionModel

/// Reads the `--commissions` file: CSV `countries,valid_from,standard,reduced,source`.
///
/// Its rows take precedence over the shipped ones.
package enum CommissionsFile {
  /// The columns of the file; all but the last must be there.
  package static let columns = ["countries", "valid_from", "standard", "reduced", "source"]

  /// Reads commissions.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The shipped table with the file's rows.
  /// - Throws: ``TableError`` that shows each bad line.
  package static func read(_ text: String, path: String) throws(TableError) -> Commissions {
    let table = try UserTable(
      text, path: path, forms: [Array(columns.dropLast())],
      expected: columns.joined(separator: ","))
    var commissions = Commissions.shipped
    commissions.add(try table.readAll(row))
    return commissions
  }

  private static func row(_ row: UserTable.Row) throws(TableError) -> Commissions.Row {
    let countries = row["countries"].split(separator: " ").map(String.init)
    let areCodes = !countries.isEmpty && countries.allSatisfy { isCapitals($0, 2) }
    guard countries == ["*"] || areCodes else {
      throw row.error("countries", expected: "country codes such as AT BE, or *")
    }
    guard let validFrom = Day(row["valid_from"]) else {
      throw row.error("valid_from", expected: "a day such as 2026-01-01")
    }
    return Commissions.Row(
      countries: countries, validFrom: validFrom,
      pair: Commissions.Pair(try percent(row, "standard"), try percent(row, "reduced")),
      source: row["source"])
  }

  private static func percent(_ row: UserTable.Row, _ column: String) throws(TableError) -> Int {
    guard let percent = Int(row[column]), 1...100 ~= percent else {
      throw row.error(column, expected: "the developer's share in whole percent, such as 70")
    }
    return percent
  }
}

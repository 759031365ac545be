package import SubscriptionModel

/// Reads the `--regions` file: CSV `region_code,payments_name,currency,valid_from,countries`.
///
/// It replaces Apple's regions. Names in several languages are separated by semicolons, countries by blanks.
package enum RegionsFile {
  /// The columns that the file must have.
  package static let columns = [
    "region_code", "payments_name", "currency", "valid_from", "countries",
  ]

  /// Reads regions.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The regions.
  /// - Throws: ``TableError`` for the first invalid line.
  package static func read(_ text: String, path: String) throws(TableError) -> FinanceRegions {
    var regions: [FinanceRegion] = []
    for row in try UserTable(text, path: path, forms: [columns]).rows {
      regions.append(try region(row))
    }
    return FinanceRegions(regions)
  }

  private static func region(_ row: UserTable.Row) throws(TableError) -> FinanceRegion {
    guard isCapitals(row["region_code"], 2) else {
      throw row.error("region_code", expected: "two capitals such as EU")
    }
    guard isCapitals(row["currency"], 3) else {
      throw row.error("currency", expected: "three capitals such as EUR")
    }
    let validFrom = Day(row["valid_from"])
    guard row["valid_from"].isEmpty || validFrom != nil else {
      throw row.error("valid_from", expected: "nothing, or a day such as 2026-01-01")
    }
    let countries = row["countries"].split(separator: " ").map(String.init)
    guard !countries.isEmpty, countries.allSatisfy({ isCapitals($0, 2) }) else {
      throw row.error("countries", expected: "country codes such as AT BE")
    }
    return FinanceRegion(
      code: row["region_code"],
      paymentsNames: row["payments_name"].split(separator: ";").map(String.init),
      currency: row["currency"], validFrom: validFrom, countries: countries)
  }
}

/// Returns whether a text is a code of capitals, such as `EU` or `EUR`.
func isCapitals(_ text: String, _ count: Int) -> Bool {
  text.utf8.count == count && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
}

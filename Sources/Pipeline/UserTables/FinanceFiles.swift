package import SubscriptionModel

/// Reads the `--regions` file: CSV `region_code,payments_name,currency,valid_from,countries`.
///
/// It replaces Apple's regions. Names in several languages are separated by semicolons, countries by blanks.
package enum RegionsFile {
  package static let columns = [
    "region_code", "payments_name", "currency", "valid_from", "countries",
  ]

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

/// Reads the `--commissions` file: CSV `countries,valid_from,standard,reduced,source`.
///
/// Its rows take precedence over the shipped ones.
package enum CommissionsFile {
  /// The columns of the file; all but the last must be there.
  package static let columns = ["countries", "valid_from", "standard", "reduced", "source"]

  /// Reads the file's text; returns the shipped table with its rows, or an error that shows each bad line.
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

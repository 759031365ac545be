public import SubscriptionModel

/// Reads the `--commissions` file: CSV `countries,valid_from,standard,reduced,source`.
///
/// Its rows take precedence over the shipped ones.
public enum CommissionsFile {
  private static let columns = ["countries", "valid_from", "standard", "reduced", "source"]
  /// How many bad lines a message shows.
  private static let shownLines = 20

  /// Reads commissions.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The shipped table with the file's rows.
  /// - Throws: ``InputError`` that shows each bad line.
  public static func read(_ text: String, path: String) throws(InputError) -> Commissions {
    var problems: [String] = []
    var rows: [Commissions.Row] = []
    do throws(UserTable.Problem) {
      let table = try UserTable(text, path: path)
      guard table.columns.isSuperset(of: columns.dropLast()) else {
        throw table.headerProblem(expected: columns.joined(separator: ","))
      }
      for row in table.rows {
        do throws(UserTable.Problem) {
          rows.append(try self.row(row, table))
        } catch {
          problems.append(error.message)
        }
      }
    } catch {
      problems.append(error.message)
    }
    guard problems.isEmpty else {
      let more = problems.count - shownLines
      let shown =
        problems.prefix(shownLines) + (more > 0 ? ["… and \(counted(more, "more line"))"] : [])
      throw InputError(
        path: path, code: "bad-table", message: shown.joined(separator: "\n"))
    }
    var commissions = Commissions.shipped
    commissions.add(rows)
    return commissions
  }

  private static func row(
    _ row: UserTable.Row, _ table: UserTable
  ) throws(UserTable.Problem) -> Commissions.Row {
    let countries = row["countries"].split(separator: " ").map(String.init)
    guard countries == ["*"] || (!countries.isEmpty && countries.allSatisfy(isCountry)) else {
      throw table.problem(row, "countries", expected: "country codes such as AT BE, or *")
    }
    guard let validFrom = Day(row["valid_from"]) else {
      throw table.problem(row, "valid_from", expected: "a day such as 2026-01-01")
    }
    return Commissions.Row(
      countries: countries, validFrom: validFrom,
      pair: Commissions.Pair(
        try percent(row, "standard", table), try percent(row, "reduced", table)),
      source: row["source"])
  }

  private static func percent(
    _ row: UserTable.Row, _ column: String, _ table: UserTable
  ) throws(UserTable.Problem) -> Int {
    guard let percent = Int(row[column]), 1...100 ~= percent else {
      throw table.problem(
        row, column, expected: "the developer's share in whole percent, such as 70")
    }
    return percent
  }

  private static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
  }
}

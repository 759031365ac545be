import SubscriptionModel

/// Reads the `--plan` file: CSV `product,country,date,new_price,currency`.
public enum PlanFile {
  /// A planned price as the user states it, in texts.
  public struct Row: Equatable, Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// The product's id or name.
    public var product: String
    /// The 2-letter storefront code.
    public var country: String
    /// The day from which renewals are to cost it.
    public var date: Day
    /// The price, in milliunits.
    public var newPrice: Int64
    /// The customer's currency.
    public var currency: String
  }

  private static let columns = ["product", "country", "date", "new_price", "currency"]

  /// Reads planned prices.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The rows in the order of the file.
  /// - Throws: ``PriceChangesFile/Problems`` with the problem of each bad line.
  public static func read(
    _ text: String, path: String
  ) throws(PriceChangesFile.Problems) -> [Row] {
    var rows: [Row] = []
    var problems: [String] = []
    var lineOfKey: [[String]: Int] = [:]
    do throws(UserTable.Problem) {
      let table = try UserTable(text, path: path)
      guard table.columns.isSuperset(of: columns) else {
        throw table.headerProblem(expected: columns.joined(separator: ","))
      }
      for line in table.rows {
        do throws(UserTable.Problem) {
          let row = try row(line, table)
          let key = [row.product, row.country, row.currency]
          if let first = lineOfKey[key] {
            throw table.problem(
              line, "product",
              expected: "one row for \(key.joined(separator: ", ")), which line \(first) has too")
          }
          lineOfKey[key] = row.line
          rows.append(row)
        } catch {
          problems.append(error.message)
        }
      }
    } catch {
      problems.append(error.message)
    }
    guard problems.isEmpty else { throw PriceChangesFile.Problems(lines: problems) }
    return rows
  }

  private static func row(
    _ line: UserTable.Row, _ table: UserTable
  ) throws(UserTable.Problem) -> Row {
    guard !line["product"].isEmpty else {
      throw table.problem(line, "product", expected: "an Apple ID or a name")
    }
    guard line["country"].utf8.count == 2 else {
      throw table.problem(line, "country", expected: "a 2-letter code such as US")
    }
    guard let date = Day(line["date"]) else {
      throw table.problem(line, "date", expected: "a day such as 2026-09-30")
    }
    guard let newPrice = PriceChangesFile.milliunits(line["new_price"]) else {
      throw table.problem(line, "new_price", expected: "a price such as 12.99")
    }
    guard line["currency"].utf8.count == 3 else {
      throw table.problem(line, "currency", expected: "a 3-letter code such as USD")
    }
    return Row(
      line: line.line, product: line["product"], country: line["country"].uppercased(), date: date,
      newPrice: newPrice, currency: line["currency"].uppercased())
  }
}

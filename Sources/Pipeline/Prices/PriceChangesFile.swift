import SubscriptionModel

/// Reads the `--price-changes` file: CSV `product,country,effective,old_price,new_price,currency`.
public enum PriceChangesFile {
  /// The problems of a file, each as one line.
  public struct Problems: Error, Equatable, Sendable {
    /// `FILE:LINE:FIELD: error: …`, at least one.
    public let lines: [String]
  }

  private static let columns = [
    "product", "country", "effective", "old_price", "new_price", "currency",
  ]

  /// Reads increases.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: What to find out, in the order of the file.
  /// - Throws: ``Problems`` with the problem of each bad line.
  public static func read(_ text: String, path: String) throws(Problems) -> PricePlan {
    var plan = PricePlan(path: path)
    var problems: [String] = []
    var lineOfKey: [[String]: Int] = [:]
    do throws(UserTable.Problem) {
      let table = try UserTable(text, path: path)
      guard table.columns.isSuperset(of: columns) else {
        throw table.headerProblem(expected: columns.joined(separator: ","))
      }
      for row in table.rows {
        do throws(UserTable.Problem) {
          let increase = try increase(row, table)
          let key = [increase.product, increase.country, increase.currency]
          if let line = lineOfKey[key] {
            throw table.problem(
              row, "product",
              expected: "one row for \(key.joined(separator: ", ")), which line \(line) has too")
          }
          lineOfKey[key] = row.line
          plan.increases.append(increase)
        } catch {
          problems.append(error.message)
        }
      }
    } catch {
      problems.append(error.message)
    }
    guard problems.isEmpty else { throw Problems(lines: problems) }
    return plan
  }

  private static func increase(
    _ row: UserTable.Row, _ table: UserTable
  ) throws(UserTable.Problem) -> PricePlan.Increase {
    guard !row["product"].isEmpty else {
      throw table.problem(row, "product", expected: "an Apple ID or a name")
    }
    guard row["country"].utf8.count == 2 else {
      throw table.problem(row, "country", expected: "a 2-letter code such as US")
    }
    guard let effective = Day(row["effective"]) else {
      throw table.problem(row, "effective", expected: "a day such as 2026-09-30")
    }
    guard let oldPrice = milliunits(row["old_price"]) else {
      throw table.problem(row, "old_price", expected: "a price such as 9.99")
    }
    guard let newPrice = milliunits(row["new_price"]) else {
      throw table.problem(row, "new_price", expected: "a price such as 12.99")
    }
    guard newPrice > oldPrice else {
      throw table.problem(
        row, "new_price", expected: "a price above the old one, \(row["old_price"])")
    }
    guard row["currency"].utf8.count == 3 else {
      throw table.problem(row, "currency", expected: "a 3-letter code such as USD")
    }
    return PricePlan.Increase(
      line: row.line, product: row["product"], country: row["country"].uppercased(),
      currency: row["currency"].uppercased(), effective: effective, oldPrice: oldPrice,
      newPrice: newPrice)
  }

  /// Returns a price above 0 with at most three decimals; `nil` for anything else.
  static func milliunits(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard (parts[0] + decimals).utf8.allSatisfy({ 0x30...0x39 ~= $0 }), decimals.count <= 3,
      let milliunits = Int64(parts[0] + decimals + String(repeating: "0", count: 3 - decimals.count)),
      milliunits > 0
    else { return nil }
    return milliunits
  }
}

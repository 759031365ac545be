public import Metrics
import Scanning
import SubscriptionModel

/// Reads a user's price file: `--price-changes` or `--plan`.
public enum PriceFile: Sendable {
  /// CSV `product,country,effective,old_price,new_price,currency`, and `plan` for prices that are not upfront.
  case changes
  /// CSV `product,country,date,new_price,currency`, and `plan` for a price of one billing plan.
  case plan

  /// The problems of a file, each as one line.
  public struct Problems: Error, Equatable, Sendable {
    /// `FILE:LINE:FIELD: error: …`, at least one.
    public let lines: [String]
  }

  /// The columns that the file must have.
  public var columns: [String] {
    switch self {
    case .changes: ["product", "country", "effective", "old_price", "new_price", "currency"]
    case .plan: ["product", "country", "date", "new_price", "currency"]
    }
  }

  /// The column of the day.
  var dateColumn: String { columns[2] }

  /// Reads rows.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The rows in the order of the file.
  /// - Throws: ``Problems`` with one line for each bad row.
  public func read(_ text: String, path: String) throws(Problems) -> [PricePlan.Row] {
    var rows: [PricePlan.Row] = []
    var problems: [String] = []
    do throws(UserTable.Problem) {
      let table = try UserTable(text, path: path)
      guard table.columns.isSuperset(of: columns) else {
        throw table.headerProblem(expected: columns.joined(separator: ","))
      }
      var lines: [[String]: Int] = [:]
      for row in table.rows {
        do throws(UserTable.Problem) {
          rows.append(try read(row, table, &lines))
        } catch {
          problems.append(error.message)
        }
      }
    } catch {
      problems.append(error.message)
    }
    guard problems.isEmpty else { throw Problems(lines: problems) }
    return rows
  }

  private func read(
    _ row: UserTable.Row, _ table: UserTable, _ lines: inout [[String]: Int]
  ) throws(UserTable.Problem) -> PricePlan.Row {
    guard !row["product"].isEmpty else {
      throw table.problem(row, "product", expected: "an Apple ID or a name")
    }
    guard row["country"].utf8.count == 2 else {
      throw table.problem(row, "country", expected: "a 2-letter code such as US")
    }
    guard row["currency"].utf8.count == 3 else {
      throw table.problem(row, "currency", expected: "a 3-letter code such as USD")
    }
    guard let date = Day(row[dateColumn]) else {
      throw table.problem(row, dateColumn, expected: "a day such as 2026-09-30")
    }
    let oldPrice = milliunits(row["old_price"])
    guard oldPrice != nil || self == .plan else {
      throw table.problem(row, "old_price", expected: "a price such as 9.99")
    }
    guard let newPrice = milliunits(row["new_price"]) else {
      throw table.problem(row, "new_price", expected: "a price such as 12.99")
    }
    if let oldPrice, newPrice <= oldPrice {
      throw table.problem(row, "new_price", expected: "more than the old price \(row["old_price"])")
    }
    let plan = try plan(row, table)
    let key = [
      row["product"], row["country"].uppercased(), row["currency"].uppercased(), row["plan"],
    ]
    if let line = lines[key] {
      throw table.problem(
        row, "product",
        expected:
          "one row for \(printable(key.filter { !$0.isEmpty }.joined(separator: ", "), keepingLines: false)): line \(line) is it"
      )
    }
    lines[key] = row.line
    let places = Dictionary(uniqueKeysWithValues: columns.map { ($0, table.place(row, $0)) })
    return PricePlan.Row(
      places: places, product: key[0], country: key[1], currency: key[2], plan: plan, date: date,
      oldPrice: oldPrice, newPrice: newPrice)
  }

  /// Returns the billing plan of a row; `nil` when it is blank or the column is missing.
  private func plan(
    _ row: UserTable.Row, _ table: UserTable
  ) throws(UserTable.Problem) -> BillingPlan? {
    let text = row["plan"]
    if text.isEmpty { return nil }
    guard let plan = [BillingPlan.upfront, .commitment].first(where: { $0.name == text }) else {
      throw table.problem(row, "plan", expected: "`upfront` or `commitment`")
    }
    return plan
  }
}

/// Returns a price above 0 with at most three decimals, such as 9.99; `nil` for anything else.
private func milliunits(_ text: String) -> Int64? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let decimals = parts.count == 2 ? parts[1] : ""
  guard (1...2).contains(parts.count), !parts[0].isEmpty, decimals.count <= 3,
    decimals.isEmpty == (parts.count == 1)
  else { return nil }
  let digits = parts[0] + decimals + String(repeating: "0", count: 3 - decimals.count)
  guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let price = Int64(digits), price > 0 else {
    return nil
  }
  return price
}

extension ConsentRules.Rule {
  /// Creates a rule from `USD 50 5.00 50.00`; `nil` when the text has another form.
  ///
  /// - Parameter text: The currency, the percentage, and the amounts for plans shorter than a year and of a
  ///   year.
  public init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, words[0].utf8.count == 3, let percent = Int(words[1]), percent > 0,
      let amount = milliunits(words[2]), let yearlyAmount = milliunits(words[3])
    else { return nil }
    self.init(
      currency: words[0].uppercased(), percent: percent, amount: amount, yearlyAmount: yearlyAmount)
  }
}

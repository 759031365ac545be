package import Tables

/// Where a table names the currency of its amounts: in a column of its own, or in the name of an added column.
package struct CurrencyColumns: Sendable {
  /// The currency in a column's name, as in `net_proceeds_USD`.
  private var named: [Int: String] = [:]
  /// The columns that name the currencies of amounts, by the places of these.
  private var places: [Int: Int] = [:]
  private let columns: [ReportTable.Column]

  /// Finds the columns.
  ///
  /// - Parameter columns: The columns of a table.
  package init(_ columns: [ReportTable.Column]) {
    self.columns = columns
    let position = { (name: String) in columns.firstIndex { $0.name == name } }
    // Payments are in the currency of the bank. An increase has prices first, and then proceeds in one currency.
    var place = position("amount_currency") ?? position("currency")
    for (index, column) in columns.enumerated() {
      // The ending of an added column, such as net_proceeds_USD_change, stands after the code.
      let code = column.name.split(separator: "_").last(where: Self.isCode)
      if column.kind == .money, let code { named[index] = String(code) }
      if column.name == "proceeds_currency" { place = index }
      if column.kind != .key, column.kind != .text {
        places[index] = column.name == "payment" ? position("bank") ?? place : place
      }
    }
  }

  private static func isCode(_ word: Substring) -> Bool {
    word.utf8.count == 3
      && word.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// Returns the currency of a cell.
  ///
  /// - Parameters:
  ///   - column: The index of the cell's column.
  ///   - row: The cells of its row.
  /// - Returns: The code, such as `USD`; blank if the table does not have it.
  package func currency(of column: Int, in row: [ReportTable.Cell]) -> String {
    if let code = named[column] { return code }
    guard let place = places[column], case .text(let code) = row[place] else { return "" }
    return code
  }

  /// Returns what the amounts of a column are in: a code such as `EUR`, or the column that has it.
  ///
  /// - Parameter column: The index of the column.
  /// - Returns: The name; `nil` if the table does not have it.
  package func unit(of column: Int) -> String? {
    named[column] ?? places[column].map { columns[$0].name }
  }
}

package import Tables

/// Where a table names the currency of its amounts: in a column of its own, or in the name of an added column.
package struct CurrencyColumns: Sendable {
  /// The currency in a column's name, as in `net_proceeds_USD`.
  private var named: [Int: String] = [:]
  /// The column that names an amount's currency.
  private let place: Int?
  /// The column of payments, which are in the currency of the bank, and the column that names it.
  private let payment: Int?
  private let bank: Int?

  /// Finds the columns.
  ///
  /// - Parameter columns: The columns of a table.
  package init(_ columns: [ReportTable.Column]) {
    let position = { (name: String) in columns.firstIndex { $0.name == name } }
    for (index, column) in columns.enumerated() {
      // The ending of an added column, such as net_proceeds_USD_change, stands after the code.
      let code = column.name.split(separator: "_").last(where: Self.isCode)
      if column.kind == .money, let code { named[index] = String(code) }
    }
    place = position("amount_currency") ?? position("currency")
    (payment, bank) = (position("payment"), position("bank"))
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
    let place = column == payment ? bank ?? place : place
    guard let place, case .text(let code) = row[place] else { return "" }
    return code
  }
}

import Crypto
import SubscriptionModel

/// Names customers in tables with a row for each customer: METRICS.md section 9.
struct CustomerPrinter: Sendable {
  private let naming: CustomerTable.Naming?
  private let paths: [String]
  private let lines: [DumpRow: Int]
  private let symbols: [String]

  init(
    _ naming: CustomerTable.Naming?, paths: [String], lines: [DumpRow: Int], symbols: [String]
  ) {
    self.naming = naming
    self.paths = paths
    self.lines = lines
    self.symbols = symbols
  }

  /// Returns the customer's name as the table prints it.
  func text(of name: CustomerName) -> String {
    let clear = name.text(symbols) { file, row, _ in
      "\(paths[Int(file)]):\(lines[DumpRow(file: file, row: row)] ?? 1):\(row)"
    }
    return naming?.text(of: clear) ?? clear
  }
}

extension CustomerTable.Naming {
  /// Returns the name of the customer with an id.
  package func text(of id: String) -> String {
    guard case .anonymous(let key) = self else { return id }
    // Use a keyed hash: an unkeyed hash of an id is not anonymous, because all ids can be tried.
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(id.utf8), using: SymmetricKey(data: Array(key.utf8)))
    return String(hexadecimal(code).prefix(16))
  }
}

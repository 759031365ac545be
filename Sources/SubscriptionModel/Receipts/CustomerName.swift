package import Storage

/// The name of a customer in tables with one row for each customer: METRICS.md section 9.
package enum CustomerName: Hashable, Sendable {
  /// The name in the file of `--identities`.
  case identity(Symbol)
  /// The smallest `appTransactionId`.
  case appTransaction(ReceiptID)
  /// The smallest account token.
  case account(Symbol)
  /// The smallest original id: the shortest, then by its bytes.
  case original(ReceiptID)
  /// The smallest transaction id: the shortest, then by its bytes.
  case transaction(ReceiptID)
  /// The place of the first copy, for a customer without ids.
  case row(file: UInt32, row: UInt32, number: UInt16)

  /// Returns the name as text, with ids that are not hashed.
  ///
  /// - Parameters:
  ///   - symbols: The text of each symbol.
  ///   - place: Returns a place as `FILE:LINE:N`; called only for a customer without ids.
  /// - Returns: The name, such as `original:1000000012345`.
  package func text(
    _ symbols: [String], place: (_ file: UInt32, _ row: UInt32, _ number: UInt16) -> String
  ) -> String {
    switch self {
    case .identity(let name): symbols[Int(name)]
    case .appTransaction(let id): "app-transaction:\(id.text(symbols))"
    case .account(let token): "account:\(symbols[Int(token)])"
    case .original(let id): "original:\(id.text(symbols))"
    case .transaction(let id): "transaction:\(id.text(symbols))"
    case .row(let file, let row, let number): "row:\(place(file, row, number))"
    }
  }

  /// Creates the name of a customer from the customer's copies.
  ///
  /// - Parameters:
  ///   - identity: The name in the file of `--identities`; `nil` without one.
  ///   - copies: The customer's transactions, at least one.
  ///   - infos: The customer's renewal infos.
  ///   - symbols: The text of each symbol.
  init(
    identity: Symbol?, _ copies: [TransactionCopy], _ infos: [RenewalCopy], _ symbols: [String]
  ) {
    let smallest = { (ids: [ReceiptID]) in
      ids.filter(\.isUsable).min { $0.precedes($1, symbols) }
    }
    if let identity {
      self = .identity(identity)
    } else if let id = smallest(copies.map(\.appTransactionID)) {
      self = .appTransaction(id)
    } else if let token = Self.smallestText(copies.map(\.accountToken), symbols) {
      self = .account(token)
    } else if let id = smallest(copies.map(\.originalID) + infos.map(\.originalID)) {
      self = .original(id)
    } else if let id = smallest(copies.map(\.transactionID)) {
      self = .transaction(id)
    } else {
      let first = copies.min { $0.isPlacedBefore($1) } ?? copies[0]
      self = .row(file: first.file, row: first.row, number: first.number)
    }
  }

  /// Returns the symbol with the first text in sorting order; `nil` if all are blank.
  static func smallestText(_ texts: [Symbol], _ symbols: [String]) -> Symbol? {
    texts.filter { $0 != .blank }.min {
      symbols[Int($0)].precedes(symbols[Int($1)])
    }
  }
}

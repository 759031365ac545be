package import SubscriptionModel

/// Where the transactions and renewal infos of a row are: their lines, and their paths inside the row.
///
/// Example: the path `latest_receipt_info[2]`, for the third transaction of a verifyReceipt answer.
package struct ItemPlaces: Sendable {
  /// The place of one item.
  package struct Item: Equatable, Sendable {
    /// The number of the line on which it begins, from 1.
    package let line: Int
    /// The path inside the row; blank for the row itself and for a row of a table.
    ///
    /// Inside a JWS the path goes on in its payload. A key of another tool is `*`.
    package let path: String
  }

  private var transactions: [UInt16: Item] = [:]
  private var renewals: [UInt16: Item] = [:]
  private var parts: [String] = []

  /// How many keys and indices lead to the value being read.
  var depth: Int { parts.count }

  /// Begins a row.
  mutating func removeAll() {
    transactions.removeAll(keepingCapacity: true)
    renewals.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
  }

  /// Goes to a member of the object at a depth; `nil` for a key of another tool.
  mutating func goTo(_ key: ReceiptKey?, at depth: Int) {
    leave(to: depth)
    parts.append((depth == 0 ? "" : ".") + (key?.rawValue ?? "*"))
  }

  /// Goes to an element of the array at a depth.
  mutating func goTo(element: Int, at depth: Int) {
    leave(to: depth)
    parts.append("[\(element)]")
  }

  /// Goes to a purchase in a raw receipt.
  mutating func goTo(offset: Int, at depth: Int) {
    leave(to: depth)
    parts.append((depth == 0 ? "" : " ") + "ASN.1 offset \(offset)")
  }

  /// Goes back to the value at a depth.
  mutating func leave(to depth: Int) {
    if parts.count > depth { parts.removeLast(parts.count - depth) }
  }

  /// Notes the place of a transaction.
  mutating func noteTransaction(_ number: UInt16, line: Int, ofRow lineOfRow: Int) {
    Self.note(number, item(line, lineOfRow), &transactions)
  }

  /// Notes the place of a renewal info.
  mutating func noteRenewal(_ number: UInt16, line: Int, ofRow lineOfRow: Int) {
    Self.note(number, item(line, lineOfRow), &renewals)
  }

  /// Returns the current place; if the row itself is the item, with the row's line.
  private func item(_ line: Int, _ lineOfRow: Int) -> Item {
    Item(line: parts.isEmpty ? lineOfRow : line, path: parts.joined())
  }

  /// Notes an item; of two with one number, which a dropped response leaves, neither has a place.
  private static func note(_ number: UInt16, _ item: Item, _ items: inout [UInt16: Item]) {
    items[number] = items[number] == nil ? item : Item(line: 0, path: "")
  }

  /// Returns the place of an item.
  ///
  /// - Parameter place: Its number in the row.
  /// - Returns: The place; `nil` if it is not known.
  package func item(at place: ReceiptPlace) -> Item? {
    let item = place.isRenewalInfo ? renewals[place.number] : transactions[place.number]
    return item.flatMap { $0.line > 0 ? $0 : nil }
  }
}

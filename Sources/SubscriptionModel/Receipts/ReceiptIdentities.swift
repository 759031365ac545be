package import Storage

/// The customers named in the file of `--identities`, by original ids or account tokens.
///
/// All ids with the same name belong to one customer, across apps and platforms.
package struct ReceiptIdentities: Sendable {
  package var names: [Symbol] { numberedNames.values }
  private var numberedNames = NumberedValues<Symbol>()
  private(set) var numberOfOriginal: [ReceiptID: Int] = [:]
  private(set) var numberOfToken: [Symbol: Int] = [:]
  /// The numbers of two names for the same id: all ids of both belong to one customer.
  package private(set) var shared: [(Int, Int)] = []

  /// Creates empty identities.
  package init() {}

  /// Adds an original id of a customer.
  ///
  /// - Parameters:
  ///   - name: The customer's name.
  ///   - originalID: The id; ignored if it is not usable.
  package mutating func name(_ name: Symbol, originalID: ReceiptID) {
    guard originalID.isUsable else { return }
    let number = numberedNames.number(of: name)
    if let other = numberOfOriginal[originalID] { shared.append((other, number)) }
    numberOfOriginal[originalID] = number
  }

  /// Adds an account token of a customer.
  ///
  /// - Parameters:
  ///   - name: The customer's name.
  ///   - token: The token in lower case; ignored if it is blank.
  package mutating func name(_ name: Symbol, token: Symbol) {
    guard token != .blank else { return }
    let number = numberedNames.number(of: name)
    if let other = numberOfToken[token] { shared.append((other, number)) }
    numberOfToken[token] = number
  }

  /// Returns the numbers of the names of a response.
  package func numbers(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) -> [Int] {
    guard !names.isEmpty else { return [] }
    let byOriginal = transactions.map(\.originalID) + renewals.map(\.originalID)
    return byOriginal.compactMap { numberOfOriginal[$0] }
      + transactions.compactMap { numberOfToken[$0.accountToken] }
  }
}

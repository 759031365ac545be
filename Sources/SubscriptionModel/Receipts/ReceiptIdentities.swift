/// Customers that the user names, by their original ids or account tokens: `--identities`.
///
/// All ids with the same name are one customer, across apps and platforms.
public struct ReceiptIdentities: Sendable {
  var names: [Symbol] { numberedNames.values }
  private var numberedNames = NumberedValues<Symbol>()
  private(set) var numberOfOriginal: [ReceiptID: Int] = [:]
  private(set) var numberOfToken: [Symbol: Int] = [:]
  /// Names that share an id, by their numbers: the ids of both are one customer.
  private(set) var shared: [(Int, Int)] = []

  /// Creates empty identities.
  public init() {}

  /// Names the customer of an original id.
  ///
  /// - Parameters:
  ///   - name: The customer's name.
  ///   - originalID: The id; one that is not usable is ignored.
  public mutating func name(_ name: Symbol, originalID: ReceiptID) {
    guard originalID.isUsable else { return }
    let number = numberedNames.number(of: name)
    if let other = numberOfOriginal[originalID] { shared.append((other, number)) }
    numberOfOriginal[originalID] = number
  }

  /// Names the customer of an account token.
  ///
  /// - Parameters:
  ///   - name: The customer's name.
  ///   - token: The token in lower case; a blank one is ignored.
  public mutating func name(_ name: Symbol, token: Symbol) {
    guard token != .blank else { return }
    let number = numberedNames.number(of: name)
    if let other = numberOfToken[token] { shared.append((other, number)) }
    numberOfToken[token] = number
  }
}

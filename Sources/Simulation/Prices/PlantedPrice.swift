/// A change of a product's price in one storefront, planted in a world.
///
/// A product with a planted price has the catalogue's price everywhere until then, and keeps it in
/// all other storefronts: none of its prices rises by itself.
public struct PlantedPrice: Sendable, Hashable {
  /// Who pays the new price, and what comes of it.
  public enum Kind: Sendable, Hashable {
    /// New subscribers pay it from the day on, the others from their next renewal.
    ///
    /// `extraLoss`, in millionths from 0 to 1,000,000, is added to the probability that the renewal
    /// of a standard period at the old price, the first at the new one, does not follow.
    case increase(extraLoss: Int)
    /// As an increase, but the price is lower and nobody leaves for it.
    case decrease
    /// New subscribers pay a higher price, the others keep theirs.
    case preserved
    /// Whoever pays on this one day pays it, and nobody later.
    case glitch
    /// Everybody pays in another of the catalogue's currencies, such as `EUR`.
    case currency(String)
  }

  /// The product's name, as the reports print it.
  public let product: String
  /// The storefront, as `US`.
  public let country: String
  /// The first day of the price, as `2026-01-31`.
  public let day: String
  /// The new standard price in hundredths of the currency; offers cost their share of it.
  public let price: Int
  /// Who pays it.
  public let kind: Kind

  /// The most of them that a world can have.
  public static let limit = 100

  /// Creates a change; ``WorldOptions`` checks whether it is possible.
  public init(product: String, country: String, day: String, price: Int, kind: Kind) {
    self.product = product
    self.country = country
    self.day = day
    self.price = price
    self.kind = kind
  }

  /// Reads an increase, as `Plus Monthly,US,2026-05-01,7.99,0.08`.
  ///
  /// - Parameter text: Product, country, day, price, and what is added to the probability that the
  ///   first renewal at that price does not follow, with at most six decimals.
  /// - Throws: ``SimulationError/impossiblePrice(found:expected:)``.
  public init(increase text: String) throws(SimulationError) {
    self = try Self.read(text, as: "product,country,date,new_price,extra") {
      word throws(SimulationError) in
      guard let extra = Decimal(word, digits: 6)?.value, extra <= 1_000_000 else {
        throw .impossiblePrice(found: word, expected: "a probability from 0 to 1 such as 0.08")
      }
      return .increase(extraLoss: extra)
    }
  }

  /// Reads another change, as `Plus Monthly,US,2026-05-01,4.99,decrease`.
  ///
  /// - Parameter text: Product, country, day, price, and `decrease`, `preserved`, `glitch` or the
  ///   new currency.
  /// - Throws: ``SimulationError/impossiblePrice(found:expected:)``.
  public init(change text: String) throws(SimulationError) {
    self = try Self.read(text, as: "product,country,date,new_price,kind") {
      word throws(SimulationError) in
      switch word {
      case "decrease": return .decrease
      case "preserved": return .preserved
      case "glitch": return .glitch
      default:
        guard Catalog.currencies.contains(word) else {
          let currencies = Catalog.currencies.joined(separator: ", ")
          throw .impossiblePrice(
            found: word, expected: "decrease, preserved, glitch or a currency (\(currencies))")
        }
        return .currency(word)
      }
    }
  }

  private static func read(
    _ text: String, as form: String, kind: (String) throws(SimulationError) -> Kind
  ) throws(SimulationError) -> PlantedPrice {
    // From the end: a product's name may have commas.
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 5 else { throw .impossiblePrice(found: text, expected: form) }
    let rest = fields.suffix(4).map { $0 }
    guard let price = Decimal(rest[2], digits: 2)?.value, price > 0 else {
      throw .impossiblePrice(found: rest[2], expected: "a price such as 9.99")
    }
    return PlantedPrice(
      product: fields.dropLast(4).joined(separator: ","), country: rest[0], day: rest[1],
      price: price, kind: try kind(rest[3]))
  }
}

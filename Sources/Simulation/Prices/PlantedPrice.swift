/// A change of a product's price in one storefront, planted in a world.
///
/// A product with a planted price has no rise of its own: before that day, and in all other storefronts,
/// it keeps the catalogue's price.
package struct PlantedPrice: Sendable, Hashable {
  /// Which subscribers pay the new price, and its effect on renewals.
  package enum Kind: Sendable, Hashable {
    /// New subscribers pay it from the day on, existing ones from their next renewal.
    ///
    /// `extraLoss`, in millionths from 0 to 1,000,000, is added to the probability that a standard period
    /// at the old price is not renewed at the new one. It applies to the first such renewal.
    case increase(extraLoss: Int)
    /// As an increase, but the price is lower and no subscriber leaves because of it.
    case decrease
    /// New subscribers pay a higher price, existing ones keep theirs.
    case preserved
    /// Every charge on this one day has it, and no later one.
    case glitch
    /// All subscribers pay in another of the catalogue's currencies, such as `EUR`.
    case currency(String)
  }

  /// The product's name, as the reports print it.
  package let product: String
  /// The storefront's country code, such as `US`.
  package let country: String
  /// The first day of the price, such as `2026-01-31`.
  package let day: String
  /// The new standard price in hundredths of the currency; offers cost their percentage of it.
  package let price: Int
  package let kind: Kind

  /// The largest number of planted prices in a world.
  package static let limit = 100

  /// Creates a change; ``WorldOptions`` checks whether it is possible.
  package init(product: String, country: String, day: String, price: Int, kind: Kind) {
    self.product = product
    self.country = country
    self.day = day
    self.price = price
    self.kind = kind
  }

  /// Reads an increase such as `Plus Monthly,US,2026-05-01,7.99,0.08`.
  ///
  /// The last field is the increase of the probability that the first renewal at that price does not follow.
  package init(increase text: String) throws(SimulationError) {
    self = try Self.read(text, as: "product,country,date,new_price,extra") {
      word throws(SimulationError) in
      guard let extra = Int(decimal: word, digits: 6), extra <= 1_000_000 else {
        throw .impossiblePrice(found: word, expected: "a probability from 0 to 1 such as 0.08")
      }
      return .increase(extraLoss: extra)
    }
  }

  /// Reads another change such as `Plus Monthly,US,2026-05-01,4.99,decrease`.
  ///
  /// The last field is `decrease`, `preserved`, `glitch` or the new currency.
  package init(change text: String) throws(SimulationError) {
    self = try Self.read(text, as: "product,country,date,new_price,kind") {
      word throws(SimulationError) in
      switch word {
      case "decrease": return .decrease
      case "preserved": return .preserved
      case "glitch": return .glitch
      default:
        guard Catalog.currencies.contains(word) else {
          let kinds = ["decrease", "preserved", "glitch"] + Catalog.currencies
          throw .unknownWord(found: word, words: kinds)
        }
        return .currency(word)
      }
    }
  }

  private static func read(
    _ text: String, as form: String, kind: (String) throws(SimulationError) -> Kind
  ) throws(SimulationError) -> PlantedPrice {
    // The last four fields are split off first, because a product's name may contain commas.
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 5 else { throw .impossiblePrice(found: text, expected: form) }
    let rest = fields.suffix(4).map { $0 }
    guard let price = Int(decimal: rest[2], digits: 2), price > 0 else {
      throw .impossiblePrice(found: rest[2], expected: "a price such as 9.99")
    }
    return PlantedPrice(
      product: fields.dropLast(4).joined(separator: ","), country: rest[0], day: rest[1],
      price: price, kind: try kind(rest[3]))
  }
}

extension Int {
  /// Reads a decimal number as a count of its smallest digit: `9.99` with two digits is 999.
  ///
  /// It has at most `digits` decimals after a point and no sign; any other text gives nil.
  init?(decimal text: String, digits: Int) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = parts.first, (1...9).contains(whole.count), fraction.count <= digits,
      parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init("\(whole)\(fraction)\(String(repeating: "0", count: digits - fraction.count))")
  }
}

/// One region of Apple's financial reports, in one currency, from a day on.
package struct FinanceRegion: Hashable, Sendable {
  /// Apple's region code, such as `EU`.
  package var code: String
  /// Its names in payments CSVs, in all languages seen so far.
  package var paymentsNames: [String]
  /// The ISO 4217 code of the currency that Apple settles it in.
  package var currency: String
  /// The first day on which the entry is valid; `nil` for always.
  package var validFrom: Day?
  /// The 2-letter codes of its countries.
  package var countries: [String]

  package init(
    code: String, paymentsNames: [String], currency: String, validFrom: Day?, countries: [String]
  ) {
    self.code = code
    self.paymentsNames = paymentsNames
    self.currency = currency
    self.validFrom = validFrom
    self.countries = countries
  }

  func isValid(on day: Day) -> Bool { validFrom.map { $0 <= day } != false }
}

/// Finds the region in which a sale is settled: METRICS.md section 7, "Region".
package struct FinanceRegions: Sendable {
  /// All regions.
  package let all: [FinanceRegion]
  private let own: [String: [FinanceRegion]]
  private let shared: [String: [FinanceRegion]]
  private let byCurrency: [String: [FinanceRegion]]

  /// Creates a table of regions.
  ///
  /// If a code with several countries has several entries, the entry with the latest first day up
  /// to the day of a sale is used; of entries with the same first day, the last in the list.
  ///
  /// - Parameter regions: All regions.
  package init(_ regions: [FinanceRegion]) {
    all = regions
    own = Dictionary(grouping: regions.filter { $0.countries == [$0.code] }, by: \.code)
    shared = Dictionary(grouping: regions.filter { $0.countries != [$0.code] }, by: \.code)
    byCurrency = Dictionary(grouping: regions, by: \.currency)
  }

  /// Returns the region that sales of a country in a currency are settled in.
  ///
  /// The country's own region if it has the currency; otherwise `EU` for euros; otherwise, for
  /// dollars, the first of `LL`, `AP` and `WW` that lists the country; otherwise `WW`.
  ///
  /// - Parameters:
  ///   - country: The storefront's 2-letter code.
  ///   - currency: The currency of the proceeds.
  ///   - day: A day of the sale or settlement.
  /// - Returns: The region's code, and whether a region lists the country; if not, `WW` is a guess.
  package func region(
    country: String, currency: String, on day: Day
  ) -> (code: String, isListed: Bool) {
    let isOwn = own[country]?.contains { $0.currency == currency && $0.isValid(on: day) }
    if isOwn == true { return (country, true) }
    let lists = { (code: String) in
      shared(code, currency, on: day)?.countries.contains(country) == true
    }
    if currency == "EUR" { return ("EU", lists("EU")) }
    guard currency == "USD" else { return ("WW", false) }
    let code = ["LL", "AP", "WW"].first(where: lists)
    return (code ?? "WW", code != nil)
  }

  private func shared(_ code: String, _ currency: String, on day: Day) -> FinanceRegion? {
    (shared[code] ?? []).lazy.filter { $0.currency == currency }.newest(on: day, from: \.validFrom)
  }

  /// Returns the region of a row of a payments CSV.
  ///
  /// If only one region has the currency, it is returned whatever the name, which may be in any
  /// language. Otherwise the name determines the region.
  ///
  /// - Parameters:
  ///   - name: The region's name, such as `Americas`.
  ///   - currency: The currency beside it, such as `USD`.
  ///   - day: A day of the settlement.
  /// - Returns: The region's code; `nil` for an unknown region.
  package func region(named name: String, currency: String, on day: Day) -> String? {
    let candidates = byCurrency[currency, default: []].filter { $0.isValid(on: day) }
    if Set(candidates.map(\.code)).count == 1 { return candidates[0].code }
    let letters = Self.letters(name)
    return candidates.first { $0.paymentsNames.contains { Self.letters($0) == letters } }?.code
  }

  /// Returns a name in a form that is equal for all of Apple's spellings.
  ///
  /// Without case, accents, blanks, hyphens, dots, the order of words, articles and prepositions.
  private static func letters(_ name: String) -> String {
    let plain = String(name.lowercased().map { accents[$0] ?? $0 })
    let words = plain.split { !$0.isLetter && $0 != "-" }.map { $0.filter(\.isLetter) }
    return words.filter { !fillers.contains($0) }.sorted().joined()
  }

  private static let accents: [Character: Character] = {
    var accents: [Character: Character] = [:]
    for (plain, accented) in [
      ("a", "àáâãäå"), ("c", "ç"), ("e", "èéêë"), ("i", "ìíîï"), ("n", "ñ"), ("o", "òóôõö"),
      ("u", "ùúûü"),
    ] {
      for letter in accented { accents[letter] = Character(plain) }
    }
    return accents
  }()

  /// Words to ignore: English, Spanish, French, German and Italian, without accents.
  private static let fillers: Set<String> = [
    "and", "of", "the", "y", "e", "el", "la", "los", "las", "de", "del", "et", "du", "des", "le",
    "les", "und", "der", "die", "das", "i", "il",
  ]
}

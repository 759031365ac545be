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
  /// The days on which an entry begins, ascending.
  private let changes: [Day]

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
    changes = Set(regions.compactMap(\.validFrom)).sorted()
  }

  /// Returns the region that sales of a country in a currency are settled in.
  ///
  /// The country's own region if it has the currency; otherwise `EU` for euros; otherwise, for
  /// dollars, the first of `LL`, `AP` and `WW` that lists the country, or `WW`, the rest of the
  /// world; otherwise the only region that has the currency; otherwise the country's own, in a
  /// currency that Apple has retired.
  ///
  /// - Parameters:
  ///   - country: The storefront's 2-letter code.
  ///   - currency: The currency of the proceeds.
  ///   - day: The day of the sale.
  /// - Returns: The region's code, and whether the table has it; if not, it is a guess.
  package func region(
    country: String, currency: String, on day: Day
  ) -> (code: String, isListed: Bool) {
    // Free downloads have no currency.
    if currency.isEmpty { return ("WW", false) }
    let isOwn = own[country]?.contains { $0.currency == currency && $0.isValid(on: day) }
    if isOwn == true { return (country, true) }
    let lists = { (code: String) in
      shared(code, currency, on: day)?.countries.contains(country) == true
    }
    if currency == "EUR" { return ("EU", lists("EU")) }
    if currency == "USD" {
      let code = ["LL", "AP", "WW"].first(where: lists)
      return (code ?? "WW", code != nil)
    }
    if let only = onlyRegion(of: currency, on: day) { return (only, true) }
    return (country, false)
  }

  /// The regions of a country and currency one after the other.
  package struct Span: Hashable, Sendable {
    /// The first day in the region; the first span begins with the first day there is.
    package var firstDay: Day
    /// The region's code.
    package var code: String
    /// Whether the table has the region; if not, it is a guess.
    package var isListed: Bool
  }

  /// Returns the regions that sales of a country in a currency are settled in, by the day of the
  /// sale.
  ///
  /// - Parameters:
  ///   - country: The storefront's 2-letter code.
  ///   - currency: The currency of the proceeds.
  /// - Returns: At least one span; each lasts until the next one begins.
  package func spans(country: String, currency: String) -> [Span] {
    var spans: [Span] = []
    for day in [.first] + changes {
      let found = region(country: country, currency: currency, on: day)
      if let last = spans.last, (last.code, last.isListed) == (found.code, found.isListed) {
        continue
      }
      spans.append(Span(firstDay: day, code: found.code, isListed: found.isListed))
    }
    return spans
  }

  private func shared(_ code: String, _ currency: String, on day: Day) -> FinanceRegion? {
    (shared[code] ?? []).lazy.filter { $0.currency == currency }.newest(on: day, from: \.validFrom)
  }

  /// Returns the only region that has a currency on a day; `nil` if there is none, or several.
  private func onlyRegion(of currency: String, on day: Day) -> String? {
    let codes = Set(byCurrency[currency, default: []].filter { $0.isValid(on: day) }.map(\.code))
    return codes.count == 1 ? codes.first : nil
  }

  /// Returns the region of a row of a payments CSV.
  ///
  /// If only one region has the currency, it is returned whatever the name, which may be in any
  /// language. Otherwise the name determines the region. A currency that no region has is one that
  /// Apple has retired: the name is then that of a storefront, whose own region it was.
  ///
  /// - Parameters:
  ///   - name: The region's name, such as `Americas`.
  ///   - currency: The currency beside it, such as `USD`.
  ///   - day: A day of the settlement.
  /// - Returns: The region's code; `nil` for an unknown region.
  package func region(named name: String, currency: String, on day: Day) -> String? {
    if let only = onlyRegion(of: currency, on: day) { return only }
    let letters = Self.letters(name)
    let candidates = byCurrency[currency, default: []].filter { $0.isValid(on: day) }
    guard !candidates.isEmpty else { return Self.storefronts[letters] }
    return candidates.first { $0.paymentsNames.contains { Self.letters($0) == letters } }?.code
  }

  /// Returns whether a code is that of a storefront, whose own region Apple may have retired.
  ///
  /// - Parameter code: A region's code.
  /// - Returns: Whether it is.
  package static func isStorefront(_ code: String) -> Bool { storefrontCodes.contains(code) }

  private static let storefrontCodes = Set(countryNames.map(\.code))

  /// The codes of storefronts by name: in English, German, French, Italian and Spanish.
  private static let storefronts: [String: String] = {
    let others = storefrontNames.split(separator: "\n").flatMap { line in
      line.dropFirst(3).split(separator: ";").map {
        (name: String($0), code: String(line.prefix(2)))
      }
    }
    return [String: String](
      (countryNames + others).map { (letters($0.name), $0.code) },
      uniquingKeysWith: { first, _ in first })
  }()

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

package import Storage
package import SubscriptionModel

/// The term that a product of receipts is sold for: METRICS.md 11.1.
///
/// A recovery in grace keeps the billing date and pays a whole month for a short period, so the most frequent span of
/// the product counts, not each charge's own.
package struct UsualTerms: Sendable {
  private var counts: [Symbol: [Term: Int]] = [:]
  /// The terms that the config states.
  var stated: [Symbol: Term] = [:]

  package init() {}

  /// Returns the usual term of a product; `nil` for a blank product, and for one without a standard charge.
  package func term(of product: Symbol) -> Term? {
    if product == .blank { return nil }
    return stated[product]
      ?? counts[product]?.max { ($0.value, $0.key.length) < ($1.value, $1.key.length) }?.key
  }

  /// Adds a charge if it is a paid standard one and no instalment.
  mutating func add(_ period: ReceiptPeriod) {
    let event = period.event
    guard event.isPaid, event.kind == .standard, !period.isInstalment else { return }
    counts[event.product, default: [:]][event.span, default: 0] += 1
  }

  mutating func merge(_ other: UsualTerms) {
    for (product, terms) in other.counts {
      counts[product, default: [:]].merge(terms, uniquingKeysWith: +)
    }
    stated.merge(other.stated) { own, _ in own }
  }

  /// Writes the terms, or reads them into empty ones.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    coder.dictionary(&counts, blank: (.blank, [:])) { product, terms, coder in
      coder.symbol(&product)
      coder.dictionary(&terms, blank: (Term(days: 0), 0)) { term, count, coder in
        term.code(with: &coder)
        coder.count(&count)
      }
    }
    coder.dictionary(&stated, blank: (.blank, Term(days: 0))) { product, term, coder in
      coder.symbol(&product)
      term.code(with: &coder)
    }
  }
}

extension Term {
  /// The length in 48ths of a day, a month being a twelfth of a mean year, to compare terms.
  fileprivate var length: Int { Int(months) * 1_461 + Int(days) * 48 }
}

extension ReceiptEvent {
  /// The time from the purchase to the expiry as months, if it is so many calendar months up to a day, else as days:
  /// METRICS.md 11.1.
  var span: Term {
    guard let expires else { return Term(days: 1) }
    let seconds = max(0, expires - purchase)
    let near = min(37, (seconds + 1_314_900) / 2_629_800)
    for months in max(1, near - 1)...min(36, near + 1) {
      let distance = purchase.adding(Term(months: Int16(months))) - expires
      if abs(distance) <= 86_400 { return Term(months: Int16(months)) }
    }
    return Term(days: Int16(clamping: max(1, (seconds + 43_200) / 86_400)))
  }
}

extension ChargeValue {
  /// Returns the monthly value of the price or the proceeds; one with a blank currency is not known: METRICS.md 11.1.
  package func monthly(
    _ basis: KeyPath<ChargeValue, Amount>, _ usualTerms: UsualTerms
  ) -> MonthlyValue {
    MonthlyValue(self[keyPath: basis], of: usualTerms.term(of: product) ?? term)
  }
}

/// Numbers for the values of charges; the value of SUBSCRIBER terms is found once.
struct ChargeValues: Sendable {
  private var numbered = NumberedValues<ChargeValue>()
  /// The number of the value of each terms; -1 for one that was not needed yet.
  private var ofTerms: [Int32] = []

  var all: [ChargeValue] { numbered.values }

  mutating func number(of value: ChargeValue) -> Int32 { Int32(numbered.number(of: value)) }

  mutating func number(ofTerms index: Int, _ terms: [ChargeTerms]) -> Int32 {
    ofTerms.extend(to: index + 1, with: -1)
    if ofTerms[index] < 0 { ofTerms[index] = number(of: terms[index].value) }
    return ofTerms[index]
  }

  /// Writes or reads all values.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var values = all
    coder.list(&values, blank: .blank) { $0.code(with: &$1) }
    guard coder.isReading, coder.isValid else { return }
    self = ChargeValues()
    for value in values { _ = number(of: value) }
    // A damaged entry may have a value twice.
    if all.count != values.count { coder.fail() }
  }
}

import Storage
import SubscriptionModel

/// The periods behind what other tools count otherwise: METRICS.md 11.5.
extension ExplainingFold where Source == ChainFold {
  mutating func addOthers(
    _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    source.addOtherFacts(history)
    guard let notes = source.others?.takeNotes(of: finder.row.month, on: finder.asOf) else {
      return
    }
    var parts = OtherParts()
    for note in notes {
      guard
        let number = history.chains.indices.first(where: {
          history.chains[$0].periods.contains(note.period)
        })
      else { continue }
      var period = note.period
      if note.fact == .furtherPlaces {
        // The last charge by then.
        let last = history.chains[number].periods.last {
          source.kindOfTerms[Int(history.periods[$0].terms)].isPaid
            && source.months[history.periods[$0].start] <= finder.row.month
        }
        period = last ?? period
      }
      parts.add(note, number, period)
    }
    for part in parts.all {
      let chain = history.chains[part.chain]
      let key = ChainKey(chain, history.periods, source.terms, firstDay: history.firstFileDay)
      let terms = source.terms[Int(history.periods[part.period].terms)]
      if let one = finder.found(part, key, terms.attributes) { body(one) }
    }
  }
}

extension ExplainingFold where Source == ReceiptFacts {
  /// Notes those of the current chain.
  mutating func noteOthers(of chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    guard var own = others else { return }
    others = nil
    let (terms, filter) = (source.terms, finder.row.filter)
    own.facts.add(
      chain, history, source, isCounted: { filter.admits(terms[$0].attributes) }, to: &own.grid)
    others = own
  }

  /// Finds those of all chains of the customer.
  mutating func addOthers(
    _ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void
  ) {
    guard var own = others else { return }
    others = nil
    own.facts.endCustomer(to: &own.grid)
    let notes = own.grid.takeNotes(of: finder.row.month, on: finder.asOf)
    others = own
    var parts = OtherParts()
    for note in notes {
      guard let number = history.chains.firstIndex(where: { $0.periods.contains(note.period) })
      else { continue }
      var period = note.period
      if note.fact.isStock {
        // The last charge by then.
        let last = history.chains[number].periods.last {
          history.periods[$0].event.isPaid
            && source.monthSystem.month(of: history.periods[$0].start.day) <= finder.row.month
        }
        period = last ?? period
      }
      parts.add(note, number, period)
    }
    for part in parts.all {
      let chain = history.chains[part.chain]
      source.number(chain, history)
      let number = source.termsOfPeriods[part.period - chain.periods.lowerBound]
      let key = ChainKey(chain, history.periods)
      if let one = finder.found(part, key, source.terms[number].attributes) { body(one) }
    }
  }
}

/// What the periods of a customer add to other tools' counts; one period of a fact and a value is one part.
struct OtherParts {
  struct Part {
    let fact: OtherFact
    let value: ChargeValue?
    let chain: Int
    let period: Int
    var count: Int
  }

  private(set) var all: [Part] = []

  mutating func add(
    _ note: (fact: OtherFact, value: ChargeValue?, period: Int, count: Int), _ chain: Int,
    _ period: Int
  ) {
    let place = all.firstIndex {
      $0.fact == note.fact && $0.period == period && $0.value == note.value
    }
    if let place { return all[place].count += note.count }
    all.append(
      Part(fact: note.fact, value: note.value, chain: chain, period: period, count: note.count))
  }
}

extension RowFinder {
  /// Returns a part that the row counts; `nil` for any other, and where parts cancel out.
  fileprivate func found(
    _ part: OtherParts.Part, _ key: ChainKey, _ attributes: Attributes
  ) -> CountedPeriod? {
    guard part.count != 0, counted.contains(.other(part.fact)) else { return nil }
    var one = CountedPeriod(
      counted: .other(part.fact), chain: part.chain, period: part.period)
    (one.month, one.key, one.attributes, one.count) = (row.month, key, attributes, part.count)
    if let value = part.value {
      let worth =
        row.worth.map { $0(value, row.usualTerms) } ?? value.monthly(\.price, row.usualTerms)
      guard isOfCurrency(worth.currency) else { return nil }
      (one.price, one.currency) = (Int64(part.count) * worth.milliunits, worth.currency)
    }
    return one
  }
}

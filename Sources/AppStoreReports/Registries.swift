package import Scanning
package import Storage
package import SubscriptionModel

/// The symbols and the distinct terms of all rows of a run, shared by all readers.
///
/// Rows refer to them by number. Readers cache numbers, so the lock is needed only for texts and
/// terms that are new to a reader. Numbers are given in the order of addition, which differs from
/// run to run with several readers: sort by text, never by number.
package final class Registries: Sendable {
  private struct State: Sendable {
    var subscribers = SymbolTable()
    var chargeTerms = NumberedValues<ChargeTerms>()
    var eventTerms = NumberedValues<EventTerms>()
    var salesTerms = NumberedValues<SalesTerms>()
    var snapshotTerms = NumberedValues<SnapshotTerms>()
  }

  /// The texts of all rows, of receipts too.
  package let symbols = SharedSymbols()

  private let state = Locked(State())

  /// Creates registries with only the empty text, which is symbol 0.
  package init() {}

  /// Returns the symbol of a text, adding the text if it is new; 0 for the empty text.
  package func symbol(of text: String) -> Symbol { symbols.symbol(of: text) }

  /// Returns the key of a subscriber id other than a plain number: see ``SubscriberKey``.
  package func subscriberKey(of text: String) -> UInt64 {
    UInt64(state.withLock { $0.subscribers.id(of: text) }) | SubscriberKey.textBit
  }

  /// Returns the id of a key from ``subscriberKey(of:)``.
  package func subscriberText(of key: UInt64) -> String {
    state.withLock { $0.subscribers.text(of: UInt32(key & ~SubscriberKey.textBit)) }
  }

  /// Returns the index in ``chargeTerms`` of a SUBSCRIBER row's terms, adding them if they are new.
  package func number(of terms: ChargeTerms) -> UInt32 {
    UInt32(state.withLock { $0.chargeTerms.number(of: terms) })
  }

  /// Returns the index in ``eventTerms`` of an event's terms, adding them if they are new.
  package func number(of terms: EventTerms) -> UInt32 {
    UInt32(state.withLock { $0.eventTerms.number(of: terms) })
  }

  /// Returns the index in ``salesTerms`` of a SALES row's terms, adding them if they are new.
  package func number(of terms: SalesTerms) -> UInt32 {
    UInt32(state.withLock { $0.salesTerms.number(of: terms) })
  }

  /// Returns the index in ``snapshotTerms`` of a snapshot row's terms, adding them if they are new.
  package func number(of terms: SnapshotTerms) -> UInt32 {
    UInt32(state.withLock { $0.snapshotTerms.number(of: terms) })
  }

  /// Returns the text of a symbol of these registries.
  package func text(of symbol: Symbol) -> String { symbols.text(of: symbol) }

  /// All terms of SUBSCRIBER rows so far; ``ChargeRecord/terms`` is an index of it.
  package var chargeTerms: [ChargeTerms] { state.withLock { $0.chargeTerms.values } }

  /// All terms of events so far; ``EventRow/terms`` is an index of it.
  package var eventTerms: [EventTerms] { state.withLock { $0.eventTerms.values } }

  /// All terms of SALES rows so far; ``SalesRow/terms`` is an index of it.
  package var salesTerms: [SalesTerms] { state.withLock { $0.salesTerms.values } }

  /// All terms of snapshot rows so far; ``SnapshotRow/terms`` is an index of it.
  package var snapshotTerms: [SnapshotTerms] { state.withLock { $0.snapshotTerms.values } }
}

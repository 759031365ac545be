public import Scanning
public import SubscriptionModel

/// The texts and the distinct terms of all rows of a run, shared by all readers.
///
/// Rows refer to them by number. Readers cache what they have seen, so a lock is taken only for texts and
/// terms that are new to a reader. Numbers are given in order of arrival, which differs from run to run
/// when several readers work at once: sort by texts, never by numbers.
public final class Registries: Sendable {
  private struct State: Sendable {
    var subscribers = SymbolTable()
    var chargeTerms = NumberedValues<ChargeTerms>()
    var eventTerms = NumberedValues<EventTerms>()
    var salesTerms = NumberedValues<SalesTerms>()
    var snapshotTerms = NumberedValues<Attributes>()
  }

  /// The texts of all rows, of receipts too.
  public let symbols = SharedSymbols()

  private let state = Locked(State())

  /// Creates registries that hold only the empty text, as symbol 0.
  public init() {}

  /// Returns the symbol of a text, a new one if the text is new; 0 for the empty text.
  public func symbol(of text: String) -> Symbol { symbols.symbol(of: text) }

  /// Returns the key of a subscriber id that is not a plain number, see ``SubscriberKey``.
  public func subscriberKey(of text: String) -> UInt64 {
    UInt64(state.withLock { $0.subscribers.id(of: text) }) | SubscriberKey.textBit
  }

  /// Returns the id of a key from ``subscriberKey(of:)``.
  public func subscriberText(of key: UInt64) -> String {
    state.withLock { $0.subscribers.text(of: UInt32(key & ~SubscriberKey.textBit)) }
  }

  /// Returns the number of a SUBSCRIBER row's terms, their index in ``chargeTerms``; a new one if they are new.
  public func number(of terms: ChargeTerms) -> UInt32 {
    UInt32(state.withLock { $0.chargeTerms.number(of: terms) })
  }

  /// Returns the number of an event's terms, their index in ``eventTerms``; a new one if they are new.
  public func number(of terms: EventTerms) -> UInt32 {
    UInt32(state.withLock { $0.eventTerms.number(of: terms) })
  }

  /// Returns the number of a SALES row's terms, their index in ``salesTerms``; a new one if they are new.
  public func number(of terms: SalesTerms) -> UInt32 {
    UInt32(state.withLock { $0.salesTerms.number(of: terms) })
  }

  /// Returns the number of a snapshot row's attributes, their index in ``snapshotTerms``; a new one if they are new.
  public func number(of attributes: Attributes) -> UInt32 {
    UInt32(state.withLock { $0.snapshotTerms.number(of: attributes) })
  }

  /// Returns the text of a symbol of these registries.
  public func text(of symbol: Symbol) -> String { symbols.text(of: symbol) }

  /// The values that ``ChargeRecord/terms`` indexes, so far.
  public var chargeTerms: [ChargeTerms] { state.withLock { $0.chargeTerms.values } }

  /// The values that ``EventRow/terms`` indexes, so far.
  public var eventTerms: [EventTerms] { state.withLock { $0.eventTerms.values } }

  /// The values that ``SalesRow/terms`` indexes, so far.
  public var salesTerms: [SalesTerms] { state.withLock { $0.salesTerms.values } }

  /// The values that ``SnapshotRow/terms`` indexes, so far.
  public var snapshotTerms: [Attributes] { state.withLock { $0.snapshotTerms.values } }
}

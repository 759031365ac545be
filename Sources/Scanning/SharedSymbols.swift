import Storage

/// The symbols of a run's texts, shared by all readers of reports and receipts.
///
/// Symbols are numbered in the order in which texts are added. With several readers, this order
/// differs from run to run, so sort by text, never by symbol.
package final class SharedSymbols: Sendable {
  private let table: Locked<SymbolTable>

  /// Creates a table with only the empty text, which is symbol 0.
  package init() {
    var table = SymbolTable()
    _ = table.id(of: "")
    self.table = Locked(table)
  }

  /// Returns the symbol of a text, adding the text if it is new.
  ///
  /// - Parameter text: The text.
  /// - Returns: The symbol, 0 for the empty text.
  package func symbol(of text: String) -> UInt32 {
    table.withLock { $0.id(of: text) }
  }

  /// Returns the symbol of a text, adding the text if it is new.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The symbol, 0 for the empty text.
  func symbol(of line: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    table.withLock { $0.id(of: line, range) }
  }

  /// Returns the text of a symbol.
  ///
  /// - Parameter symbol: A symbol of this table.
  /// - Returns: Its text.
  package func text(of symbol: UInt32) -> String {
    table.withLock { $0.text(of: symbol) }
  }

  /// All texts so far, in the order of their symbols; the first is empty.
  package var texts: [String] {
    table.withLock { table in (0..<table.count).map { table.text(of: UInt32($0)) } }
  }
}

/// A reader's own copy of the symbols it has used, so that most look-ups need no lock.
package struct LocalSymbols: Sendable {
  private let shared: SharedSymbols
  private var table = SymbolTable()
  private var symbols: [UInt32] = []

  /// Creates an empty table for one reader.
  ///
  /// - Parameter shared: The symbols of the run.
  package init(_ shared: SharedSymbols) { self.shared = shared }

  /// Returns the symbol of a field without the blanks at its ends.
  ///
  /// - Parameters:
  ///   - line: The line that holds the field.
  ///   - field: Where the field is.
  /// - Returns: The symbol, 0 if the field is blank.
  package mutating func symbol(_ line: Span<UInt8>, _ field: Range<Int>) -> UInt32 {
    let range = trimmed(line, field)
    if range.isEmpty { return 0 }
    let local = Int(table.id(of: line, range))
    if local == symbols.count { symbols.append(shared.symbol(of: line, range)) }
    return symbols[local]
  }

  /// Returns the symbol of a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The symbol, 0 for the empty text.
  package mutating func symbol(_ text: String) -> UInt32 {
    let local = Int(table.id(of: text))
    if local == symbols.count { symbols.append(shared.symbol(of: text)) }
    return symbols[local]
  }
}

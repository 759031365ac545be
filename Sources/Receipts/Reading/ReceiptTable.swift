import Scanning

/// The layout of a CSV file of receipts: its mapping, applied to its header.
struct ReceiptTable {
  /// The columns that are read: what each means, its index from 0 and its name.
  typealias Column = (meaning: TableMapping.Meaning, index: Int, name: String)

  let mapping: TableMapping
  let columns: [Column]
  /// The number of columns.
  let count: Int
  /// The byte between two fields.
  let separator: UInt8
  /// Whether the file is another one of the tool's, which is no list of transactions.
  let isOtherFile: Bool
  /// The needed columns that the file lacks.
  let missing: [String]
  /// The columns that the file lacks and whose absence is noted.
  let missingWanted: [String]
  /// The columns of dates by which the file is dated: the first list that has any date counts.
  let dateColumns: [[Int]]

  /// Recognizes a table by its header; nil if it does not hold receipts.
  ///
  /// - Parameters:
  ///   - header: The names of the columns.
  ///   - separator: The byte between two fields.
  ///   - columns: The columns that the config names; without them, a table of raw receipts has a
  ///     column `receipt`.
  init?(header: [String], separator: UInt8 = UInt8(ascii: ","), columns: ReceiptColumns?) {
    self.separator = separator
    count = header.count
    let tool = TableMapping.tools.first { $0.signs.allSatisfy(header.contains) }
    mapping = tool ?? .own(columns)
    self.columns = mapping.columns.compactMap { column in
      column.names.lazy.compactMap { name in
        header.firstIndex(of: name).map { (column.meaning, $0, name) }
      }.first
    }
    let signs = mapping.signsOfTransactions
    isOtherFile = !signs.isEmpty && signs.allSatisfy { !header.contains($0) }
    missing = mapping.needed.filter { !header.contains($0) }
    missingWanted = mapping.wanted.filter { !header.contains($0) }
    if case .periods(let dates) = mapping.rows {
      dateColumns = dates.map { $0.compactMap { header.firstIndex(of: $0) } }
    } else {
      dateColumns = []
    }
    guard tool == nil else { return }
    let meanings = self.columns.map(\.meaning)
    guard header.count > 1,
      meanings.contains(.field(.receipt)) || meanings.contains(.field(.purchaseDate))
    else { return nil }
  }

  /// Creates the layout of a table that has nothing but receipts.
  ///
  /// - Parameter name: The name of its column.
  init(onlyColumn name: String) {
    (mapping, columns, count) = (.own(nil), [(.field(.receipt), 0, name)], 1)
    separator = UInt8(ascii: ",")
    (isOtherFile, missing, missingWanted, dateColumns) = (false, [], [], [])
  }

  /// Whether the file is a snapshot: its rows are current when it was made.
  var isSnapshot: Bool { !dateColumns.isEmpty }

  /// Returns the index of a column; nil if the table has none with this meaning.
  func index(of meaning: TableMapping.Meaning) -> Int? {
    columns.first { $0.meaning == meaning }?.index
  }
}

import Rendering
package import SubscriptionModel
package import Tables

/// A line of a ledger: the inputs and the numbers of a run, as the difference from the line before.
package struct LedgerEntry: Equatable, Sendable {
  package struct File: Hashable, Sendable {
    /// The path below the input argument, as in the manifest.
    package var path: String
    package var sha256: String
    /// The kind and the vendor number of a report, such as `subscriber 80012345`; `nil` for an unknown file.
    ///
    /// All versions of a report have the same, and the same day.
    package var report: String?
    /// The day of a report; `nil` for other files.
    package var day: Day?

    package init(_ path: String, _ sha256: String, report: String? = nil, day: Day? = nil) {
      (self.path, self.sha256, self.report, self.day) = (path, sha256, report, day)
    }
  }

  /// An input that has other bytes than before.
  package struct ChangedFile: Hashable, Sendable {
    package var file: File
    /// The SHA-256 of the bytes before.
    package var was: String

    package init(_ file: File, was: String) { (self.file, self.was) = (file, was) }
  }

  /// The inputs that differ from the line before.
  package struct Files: Equatable, Sendable {
    package var added: [File] = []
    package var changed: [ChangedFile] = []
    package var removed: [File] = []

    package init() {}
  }

  /// The rows of a table that differ from the line before.
  package struct Table: Equatable, Sendable {
    package var name: String
    /// The columns, if the table is new or has other columns than before.
    ///
    /// Then ``rows`` has all rows. An empty list means that the table is gone.
    package var columns: [ReportTable.Column]?
    /// The rows that are new or have another value.
    package var rows: [[ReportTable.Cell]] = []
    /// The keys of the rows that are gone.
    package var gone: [[ReportTable.Cell]] = []

    package init(_ name: String) { self.name = name }
  }

  /// The last day of the data; `nil` for finance files alone.
  ///
  /// With the number it is the key of the line.
  package var asOf: Day?
  /// The number of the line, from 1.
  package var sequence: Int
  package var definitions: Int
  package var version: String
  /// The options on which numbers depend, except as-of.
  package var options: [String: String] = [:]
  package var files = Files()
  package var tables: [Table] = []

  package init(asOf: Day?, sequence: Int, definitions: Int, version: String) {
    (self.asOf, self.sequence) = (asOf, sequence)
    (self.definitions, self.version) = (definitions, version)
  }
}

extension LedgerEntry {
  private static let beginning = "{\"as_of\":"

  /// Returns whether bytes may be the beginning of an unfinished line.
  ///
  /// After a loss of power a file may have zeros in place of its last bytes.
  package static func mayBeginLine(_ bytes: [UInt8]) -> Bool {
    zip(bytes, beginning.utf8).allSatisfy { $0 == $1 || $0 == 0 }
  }

  /// The line, with its line feed.
  package var text: String {
    JSONValue.object([
      "as_of": JSONValue(asOf?.description), "sequence": .count(sequence),
      "definitions": .count(definitions), "version": .text(version),
      "options": .object(
        options.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) }),
      "files": .object([
        "added": .list(files.added.map { $0.json() }),
        "changed": .list(files.changed.map { $0.file.json([.init("was", .text($0.was))]) }),
        "removed": .list(files.removed.map { $0.json() }),
      ]), "tables": .list(tables.map(\.json)),
    ]).text + "\n"
  }
}

extension LedgerEntry.File {
  fileprivate func json(_ more: [JSONValue.Member] = []) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("path", .text(path)), .init("sha256", .text(sha256)),
    ]
    if let report { members.append(.init("report", .text(report))) }
    if let day { members.append(.init("day", .text(day.description))) }
    return .object(members + more)
  }
}

extension LedgerEntry.Table {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("name", .text(name))]
    if let columns {
      let pairs = columns.map { JSONValue.texts([$0.name, $0.kind.word]) }
      members.append(.init("columns", .list(pairs)))
    }
    if !rows.isEmpty { members.append(.init("rows", .list(rows.map(json)))) }
    if !gone.isEmpty { members.append(.init("gone", .list(gone.map(json)))) }
    return .object(members)
  }

  private func json(_ cells: [ReportTable.Cell]) -> JSONValue {
    // A column of `definitions` has rates beside amounts, which have a third number there.
    let isMixed = name == TableKind.definitions.rawValue
    return .list(
      cells.map { cell in
        if isMixed, case .money(let milliunits) = cell {
          .numbers(milliunits, 1_000, 1)
        } else {
          cell.ledgerJSON
        }
      })
  }
}

extension JSONValue {
  fileprivate static func numbers(_ numbers: Int128...) -> JSONValue {
    .list(numbers.map { .number("\($0)") })
  }
}

extension ReportTable.Cell {
  /// The exact value: an amount in thousandths, a number of hundredths and a ratio as a pair of integers.
  fileprivate var ledgerJSON: JSONValue {
    switch self {
    case .missing: .null
    case .text(let text): .text(text)
    case .count(let count): .count(count)
    case .ratio(let numerator, let denominator): .numbers(numerator, denominator)
    // The shortest digits that give the same number again.
    case .fraction(let fraction): fraction.isFinite ? .number("\(fraction)") : .null
    case .money(let milliunits): .numbers(milliunits, 1_000)
    case .hundredths(let hundredths): .numbers(Int128(hundredths), 100)
    }
  }
}

extension ReportTable.Column.Kind {
  /// The kinds by their words in a ledger.
  static let words: [String: ReportTable.Column.Kind] = [
    "key": .key, "text": .text, "count": .count, "rate": .rate, "money": .money,
    "number": .number,
  ]

  fileprivate var word: String { Self.words.first { $0.value == self }?.key ?? "" }
}

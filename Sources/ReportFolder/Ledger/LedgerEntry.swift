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
    self.asOf = asOf
    self.sequence = sequence
    self.definitions = definitions
    self.version = version
  }
}

extension LedgerEntry {
  /// How every line begins.
  private static let beginning = "{\"as_of\":"

  /// Returns whether bytes may be the beginning of an unfinished line.
  ///
  /// After a loss of power a file may have zeros in place of its last bytes.
  package static func mayBeginLine(_ bytes: [UInt8]) -> Bool {
    zip(bytes, beginning.utf8).allSatisfy { $0 == $1 || $0 == 0 }
  }

  /// The line, with its line feed.
  package var text: String {
    let options = options.sorted { $0.key < $1.key }.map {
      "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))"
    }
    let members = [
      "\(asOf.map { JSONText.quoted($0.description) } ?? "null")",
      "\"sequence\":\(sequence)", "\"definitions\":\(definitions)",
      "\"version\":\(JSONText.quoted(version))", "\"options\":{\(options.joined(separator: ","))}",
      "\"files\":\(files.text)", "\"tables\":\(list(tables.map(\.text)))",
    ]
    return "\(Self.beginning)\(members.joined(separator: ","))}\n"
  }
}

extension LedgerEntry.Files {
  fileprivate var text: String {
    let changed = changed.map { $0.file.text(["\"was\":\(JSONText.quoted($0.was))"]) }
    let members = [
      "\"added\":\(list(added.map { $0.text() }))", "\"changed\":\(list(changed))",
      "\"removed\":\(list(removed.map { $0.text() }))",
    ]
    return "{\(members.joined(separator: ","))}"
  }
}

extension LedgerEntry.File {
  fileprivate func text(_ more: [String] = []) -> String {
    var members = ["\"path\":\(JSONText.quoted(path))", "\"sha256\":\(JSONText.quoted(sha256))"]
    if let report { members.append("\"report\":\(JSONText.quoted(report))") }
    if let day { members.append("\"day\":\(JSONText.quoted(day.description))") }
    return "{\((members + more).joined(separator: ","))}"
  }
}

extension LedgerEntry.Table {
  fileprivate var text: String {
    var members = ["\"name\":\(JSONText.quoted(name))"]
    if let columns {
      let pairs = columns.map { list([JSONText.quoted($0.name), JSONText.quoted($0.kind.word)]) }
      members.append("\"columns\":\(list(pairs))")
    }
    if !rows.isEmpty { members.append("\"rows\":\(list(rows.map(text)))") }
    if !gone.isEmpty { members.append("\"gone\":\(list(gone.map(text)))") }
    return "{\(members.joined(separator: ","))}"
  }

  private func text(_ cells: [ReportTable.Cell]) -> String {
    let isMixed = name == TableKind.definitions.rawValue
    return list(cells.map { isMixed ? $0.markedText : $0.ledgerText })
  }
}

extension ReportTable.Cell {
  /// The same, with a third number in an amount: a column of `definitions` has rates too.
  fileprivate var markedText: String {
    if case .money(let milliunits) = self { "[\(milliunits),1000,1]" } else { ledgerText }
  }

  /// The exact value as JSON: an amount in thousandths, a number of hundredths and a ratio as a pair of integers.
  fileprivate var ledgerText: String {
    switch self {
    case .missing: "null"
    case .text(let text): JSONText.quoted(text)
    case .count(let count): String(count)
    case .ratio(let numerator, let denominator): "[\(numerator),\(denominator)]"
    // The shortest digits that give the same number again.
    case .fraction(let fraction): fraction.isFinite ? "\(fraction)" : "null"
    case .money(let milliunits): "[\(milliunits),1000]"
    case .hundredths(let hundredths): "[\(hundredths),100]"
    }
  }
}

extension ReportTable.Column.Kind {
  /// The kinds by their words in a ledger.
  static let words: [String: ReportTable.Column.Kind] = [
    "key": .key, "text": .text, "count": .count, "rate": .rate, "money": .money,
    "number": .number,
  ]

  fileprivate var word: String {
    switch self {
    case .key: "key"
    case .text: "text"
    case .count: "count"
    case .rate: "rate"
    case .money: "money"
    case .number: "number"
    }
  }
}

private func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

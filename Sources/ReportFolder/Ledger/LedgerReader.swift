package import Scanning
import SubscriptionModel
import Tables

/// The reason why a ledger cannot be read.
package struct LedgerError: Error, Equatable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// What was found and what was expected.
  package var message: String

  package init(line: Int, message: String) { (self.line, self.message) = (line, message) }
}

/// Reads the lines of a ledger one after the other.
package struct LedgerReader: ~Copyable {
  private enum Key: String, CaseIterable {
    case asOf = "as_of"
    case sequence, definitions, version, options, files, tables
    static let all = JSONKeys<Key>()
  }

  private enum FilesKey: String, CaseIterable {
    case added, changed, removed
    static let all = JSONKeys<FilesKey>()
  }

  private enum FileKey: String, CaseIterable {
    case path, sha256, report, day, was
    static let all = JSONKeys<FileKey>()
  }

  private enum TableKey: String, CaseIterable {
    case name, columns, rows, gone
    static let all = JSONKeys<TableKey>()
  }

  private var json: WrittenJSON
  private let length: Int
  /// The columns of each table up to here.
  private var columns: [String: [ReportTable.Column]] = [:]
  private var sequence = 0

  /// Creates a reader of the first bytes of a stream, up to the end of a line.
  package init(_ stream: consuming ByteStream, length: Int) {
    json = WrittenJSON(JSONScanner(stream), limit: length)
    json.scanner.isLineDelimited = true
    self.length = length
  }

  /// Reads the next line; `nil` at the end.
  package mutating func next() throws(LedgerError) -> LedgerEntry? {
    do {
      guard json.scanner.byteOffset < length, try json.scanner.nextValue(),
        json.scanner.byteOffset < length
      else { return nil }
      let entry = try readEntry()
      try json.scanner.finishLine()
      return entry
    } catch let fault as WrittenJSON.Fault {
      throw LedgerError(line: fault.line, message: fault.message)
    } catch JSONReadError.text(let error) {
      throw LedgerError(line: error.line, message: error.message)
    } catch {
      throw LedgerError(line: json.scanner.line, message: "found bytes that cannot be read")
    }
  }

  private mutating func readEntry() throws -> LedgerEntry {
    var object = try json.enterObject()
    var entry = LedgerEntry(asOf: nil, sequence: 0, definitions: 0, version: "")
    var missing = Set(Key.allCases)
    while let member = try json.scanner.nextMember(of: &object, Key.all) {
      guard case .known(let key) = member else { continue }
      missing.remove(key)
      switch key {
      case .asOf: entry.asOf = try json.scanner.peekKind() == .null ? nil : try day()
      case .sequence: entry.sequence = try json.number()
      case .definitions: entry.definitions = try json.number()
      case .version: entry.version = try json.string()
      case .options: entry.options = try options()
      case .files: entry.files = try files()
      case .tables:
        let list = try json.enterArray()
        while try json.scanner.nextElement(of: list) { entry.tables.append(try table()) }
      }
    }
    if let key = Key.allCases.first(where: missing.contains) {
      throw json.fault("found no \"\(key.rawValue)\", which report writes")
    }
    guard entry.sequence == sequence + 1 else {
      throw json.fault("found \"sequence\" \(entry.sequence), expected \(sequence + 1)")
    }
    sequence = entry.sequence
    return entry
  }

  private mutating func options() throws -> [String: String] {
    var options: [String: String] = [:]
    let object = try json.enterObject()
    while let name = try json.nextKey(of: object) { options[name] = try json.string() }
    return options
  }

  // MARK: Files

  private mutating func files() throws -> LedgerEntry.Files {
    var files = LedgerEntry.Files()
    var object = try json.enterObject()
    while let member = try json.scanner.nextMember(of: &object, FilesKey.all) {
      guard case .known(let key) = member else { continue }
      let list = try json.enterArray()
      while try json.scanner.nextElement(of: list) {
        let (file, was) = try file()
        switch key {
        case .added: files.added.append(file)
        case .removed: files.removed.append(file)
        case .changed: files.changed.append(.init(file, was: was))
        }
      }
    }
    return files
  }

  private mutating func file() throws -> (file: LedgerEntry.File, was: String) {
    var file = LedgerEntry.File("", "")
    var was = ""
    var object = try json.enterObject()
    while let member = try json.scanner.nextMember(of: &object, FileKey.all) {
      switch member {
      case .known(.path): file.path = try json.string()
      case .known(.sha256): file.sha256 = try json.string()
      case .known(.report): file.report = try json.string()
      case .known(.day): file.day = try day()
      case .known(.was): was = try json.string()
      case .unknown: continue
      }
    }
    return (file, was)
  }

  // MARK: Tables

  private mutating func table() throws -> LedgerEntry.Table {
    var table = LedgerEntry.Table("")
    var object = try json.enterObject()
    while let member = try json.scanner.nextMember(of: &object, TableKey.all) {
      switch member {
      case .known(.name): table.name = try json.string()
      case .known(.columns):
        table.columns = try readColumns()
        columns[table.name] = table.columns
      case .known(.rows): table.rows = try rows(kinds(of: table.name))
      case .known(.gone):
        let all = try kinds(of: table.name)
        let places = columns[table.name]?.keyPlaces ?? []
        table.gone = try rows(places.map { all[$0] })
      case .unknown: continue
      }
    }
    return table
  }

  private func kinds(of table: String) throws -> [ReportTable.Column.Kind] {
    guard let columns = columns[table] else {
      throw json.fault("found rows of \"\(table)\" before its columns")
    }
    return columns.map(\.kind)
  }

  private mutating func readColumns() throws -> [ReportTable.Column] {
    var columns: [ReportTable.Column] = []
    let list = try json.enterArray()
    while try json.scanner.nextElement(of: list) {
      let pair = try json.enterArray()
      var words: [String] = []
      while try json.scanner.nextElement(of: pair) { words.append(try json.string()) }
      guard words.count == 2, let kind = ReportTable.Column.Kind.words[words[1]] else {
        throw json.fault("found no name and kind of a column where they must be")
      }
      columns.append(ReportTable.Column(words[0], kind, isChange: words[0] == "change"))
    }
    return columns
  }

  private mutating func rows(
    _ kinds: [ReportTable.Column.Kind]
  ) throws -> [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    let list = try json.enterArray()
    while try json.scanner.nextElement(of: list) {
      let cells = try json.enterArray()
      var row: [ReportTable.Cell] = []
      while try json.scanner.nextElement(of: cells) {
        guard row.count < kinds.count else {
          throw json.fault("found more than \(kinds.count) cells in a row")
        }
        row.append(try cell(kinds[row.count]))
      }
      guard row.count == kinds.count else {
        throw json.fault("found \(row.count) cells in a row, expected \(kinds.count)")
      }
      rows.append(row)
    }
    return rows
  }

  private mutating func cell(_ kind: ReportTable.Column.Kind) throws -> ReportTable.Cell {
    switch try json.scanner.peekKind() {
    case .null:
      try json.scanner.skipValue()
      return .missing
    case .string: return .text(try json.string())
    case .array: return try pair(kind)
    default:
      let digits = try json.digits()
      if let count = Int(digits) { return .count(count) }
      guard let fraction = Double(digits) else {
        throw json.fault("found no number where one must be")
      }
      return .fraction(fraction)
    }
  }

  private mutating func pair(_ kind: ReportTable.Column.Kind) throws -> ReportTable.Cell {
    let list = try json.enterArray()
    var numbers: [Int128] = []
    while try json.scanner.nextElement(of: list) {
      guard let number = Int128(try json.digits()) else {
        throw json.fault("found no whole number where one must be")
      }
      numbers.append(number)
    }
    if numbers.count == 3, numbers[1] == 1_000, numbers[0] != .min {
      return .money(milliunits: numbers[0])
    }
    guard numbers.count == 2, numbers[1] != 0, !numbers.contains(.min) else {
      throw json.fault("found no pair of numbers where one must be")
    }
    switch (kind, numbers[1]) {
    case (.money, 1_000): return .money(milliunits: numbers[0])
    case (.number, 100):
      guard let hundredths = Int(exactly: numbers[0]) else {
        throw json.fault("found a number that is too large")
      }
      return .hundredths(hundredths)
    default: return .ratio(numerator: numbers[0], denominator: numbers[1])
    }
  }

  // MARK: Values

  private mutating func day() throws -> Day {
    guard let day = Day(try json.string()) else {
      throw json.fault("found no day where one must be")
    }
    return day
  }
}

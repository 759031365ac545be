import Rendering
import Scanning
import Tables

/// A table of a database or a workbook: its rows, and what its columns are.
struct ExportedTable: Sendable {
  /// The rows; the name is that of the CSV file without its ending, such as `churn-by-country`.
  let rows: LongTable
  /// The columns, in the order of the CSV file.
  let columns: [Column]
  /// How amounts find their currencies.
  let currencies: CurrencyColumns

  /// A column, as `columns` describes it.
  struct Column: Sendable {
    let name: String
    let kind: ReportTable.Column.Kind
    /// The declared type of its cells in a database.
    let type: String
    /// `count`, `fraction`, `month`, `day`, `thousandths of currency`, `mixed`, or blank.
    let unit: String
    /// The place in the table's key, from 1; `nil` for other columns, and in lists without a key.
    let keyPlace: Int?
    let meaning: String
  }

  /// Tables in which nothing promises that two rows differ.
  private static let lists = Set(
    [SupportingTable.health, .days, .checks, .rejects, .changes].map(\.rawValue))
  /// Tables with counts, rates and amounts in one column, by the kind of that column.
  private static let mixed: [String: ReportTable.Column.Kind] = [
    HeadlineTable.headlines.rawValue: .rate, HeadlineTable.drivers.rawValue: .rate,
    TableKind.definitions.rawValue: .rate, SupportingTable.checks.rawValue: .count,
  ]
  /// The tables with a key: those of `report`, not lists of what a cell is made of.
  private static func hasKey(_ name: String) -> Bool {
    ColumnMeanings.columns(of: name) != nil && !lists.contains(name)
  }

  /// The name without the dimensions of a view, such as `churn`.
  private var baseName: String { Self.baseName(of: rows) }

  private static func baseName(of rows: LongTable) -> String {
    rows.name.split(separator: "-by-").first.map(String.init) ?? rows.name
  }

  /// Creates a table; with `hasKeys`, one of metrics has all columns of its key.
  init(_ rows: LongTable, hasKeys: Bool = true) {
    self.rows = rows
    let name = Self.baseName(of: rows)
    let currencies = CurrencyColumns(rows.columns)
    self.currencies = currencies
    let defined = ColumnMeanings.columns(of: name)?.map(\.column) ?? []
    // A key of the definition may be an ordinary text where a table is made.
    let kinds = rows.columns.map { column in
      defined.first { $0.name == column.name && $0.kind == .key } ?? column
    }
    let keys =
      hasKeys && Self.hasKey(name)
      ? kinds.keyPlaces : []
    columns = rows.columns.indices.map { place in
      let column = rows.columns[place]
      let isMixed = Self.mixed[name] == column.kind
      return Column(
        name: column.name, kind: column.kind, type: isMixed ? "NUMERIC" : column.type,
        unit: isMixed ? "mixed" : column.unit(currencies.unit(of: place)),
        keyPlace: keys.firstIndex(of: place).map { $0 + 1 },
        meaning: ColumnMeanings.meaning(of: column.name, in: name))
    }
  }

  /// Returns the table `tables`: a row for each of some tables, with its meaning.
  static func tables(_ tables: [ExportedTable], name: (String) -> String) -> ExportedTable {
    let rows = tables.map { table -> [ReportTable.Cell] in
      [.text(name(table.rows.name)), .text(ColumnMeanings.meaning(ofTable: table.baseName))]
    }
    let columns: [ReportTable.Column] = [.init("table_name", .key), .init("meaning", .text)]
    return ExportedTable(
      LongTable(name: "tables", columns: columns, count: rows.count) { rows[$0] })
  }

  /// Returns the table `columns`: a row for each column of some tables, with its meaning.
  static func columns(of tables: [ExportedTable], name: (String) -> String) -> ExportedTable {
    let rows = tables.flatMap { table in
      table.columns.map { column -> [ReportTable.Cell] in
        [
          .text(name(table.rows.name)), .text(column.name), .text(column.type), .text(column.unit),
          column.keyPlace.map { .count($0) } ?? .missing, .text(column.meaning),
        ]
      }
    }
    let columns: [ReportTable.Column] = [
      .init("table_name", .key), .init("column_name", .key), .init("type", .text),
      .init("unit", .text), .init("key_place", .count), .init("meaning", .text),
    ]
    return ExportedTable(
      LongTable(name: "columns", columns: columns, count: rows.count) { rows[$0] })
  }
}

extension ReportTable.Column {
  fileprivate var type: String {
    switch kind {
    case .key, .text: "TEXT"
    case .count, .money: "INTEGER"
    case .rate, .number: "REAL"
    }
  }

  fileprivate func unit(_ currency: String?) -> String {
    switch kind {
    case .money: "thousandths of \(currency ?? "the currency")"
    case .rate: "fraction"
    case .count: "count"
    case .number: ""
    case .key, .text: Self.units[name] ?? ""
    }
  }

  private static let units = [
    "month": "month", "against": "month", "day": "day", "date": "day", "effective": "day",
    "effective_existing": "day", "expected_date": "day",
  ]
}

/// The mark by which a file is known that `subreport` wrote and no other program has changed.
///
/// Only such a file is replaced without being asked for: a path may be that of a user's own database.
package enum WrittenFile {
  case database, workbook, metrics

  /// The application id in the header of databases: `subr`.
  static let applicationID = 0x7375_6272
  /// The text in the properties of workbooks.
  static let author = "subreport"
  /// The day on which workbooks were made by their properties; a program that saves one writes the time.
  private static let day = "1980-01-01T00:00:00Z"
  private static let properties = "docProps/core.xml"

  /// Returns whether a file has the mark.
  package func wrote(_ path: String) -> Bool {
    switch self {
    case .database:
      // SQLite counts in bytes 24 to 27 how often it has written to the file.
      let header = Self.start(of: path, 72)
      let id = (0..<4).map { UInt8(truncatingIfNeeded: Self.applicationID >> (24 - 8 * $0)) }
      return header.starts(with: "SQLite format 3\0".utf8) && header.count == 72
        && header[24..<28].allSatisfy { $0 == 0 } && header[68...].elementsEqual(id)
    case .workbook:
      guard let members = try? ZipDirectory(path: path).members,
        let member = try? members.first(where: { $0.name == Self.properties })?.content.get()
      else { return false }
      let text = String(decoding: StoredContent.all(of: member.path) ?? [], as: UTF8.self)
      // Other programs keep some of the properties, in another order or with more between them.
      return text.contains(
        "<dc:creator>\(Self.author)</dc:creator><cp:lastModifiedBy>\(Self.author)<")
        && text.hasSuffix("\(Self.day)</dcterms:modified></cp:coreProperties>")
    case .metrics: return Self.start(of: path, 17).elementsEqual("# HELP subreport_".utf8)
    }
  }

  /// Returns the first bytes of a file; none of one that cannot be read.
  private static func start(of path: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var stream = try? ByteStream(path: path)
    try? stream?.read(into: &bytes, atMost: count)
    return bytes
  }
}

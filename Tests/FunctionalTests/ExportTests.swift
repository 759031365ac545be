import SubreportTestSupport
import Testing

/// Reads databases with the program sqlite3, which we did not write.
@Suite(
  "databases", .enabled(if: Export.has("sqlite3"), "sqlite3 is not installed: make exports-tools"))
struct DatabaseTests {
  @Test
  func `have every cell of every table of a report, with its type, unit and key`() throws {
    let sandbox = try Export.reports("--sqlite all.sqlite")
    for report in ["sample", "paid"] {
      let file = "\(report)/all.sqlite"
      #expect(try Export.select("PRAGMA integrity_check", of: file, in: sandbox) == [["ok"]])
      let tables = try Export.tables(of: "\(report)/out", in: sandbox)
      #expect(tables.count > 25)
      for (name, lines) in tables {
        try compare(name, lines, file, sandbox)
      }
      // Nothing but these and what explains them.
      let names = try Export.select(
        "SELECT name FROM sqlite_schema WHERE type = 'table'", of: file, in: sandbox)
      let expected = tables.keys.map(Export.identifier) + ["tables", "columns", "months"]
      #expect(names.map { $0[0] }.sorted() == expected.sorted())
      let meanings = try Export.select(
        "SELECT table_name, meaning FROM tables", of: file, in: sandbox)
      #expect(meanings.map { $0[0] }.sorted() == tables.keys.map(Export.identifier).sorted())
      #expect(meanings.allSatisfy { $0[1].hasSuffix(".") }, "\(meanings)")
    }
  }

  /// Compares a table with the lines of its CSV file.
  private func compare(
    _ name: String, _ lines: [[String]], _ file: String, _ sandbox: Sandbox
  ) throws {
    let table = Export.identifier(name)
    let described = try Export.select(
      "SELECT column_name, type, unit, ifnull(key_place, 0), meaning FROM columns WHERE table_name = '\(table)' ORDER BY rowid",
      of: file, in: sandbox)
    let info = try Export.select(
      "SELECT name, type, pk FROM pragma_table_info('\(table)')", of: file, in: sandbox)
    #expect(described.map { [$0[0], $0[1], $0[3]] } == info, "\(name)")
    #expect(described.map { $0[0] } == lines[0], "\(name)")
    #expect(described.allSatisfy { !$0[4].isEmpty }, "\(name) has a column without a meaning")
    let columns = described.map { Column(type: $0[1], unit: $0[2], isKey: $0[3] != "0") }
    let rows = try Export.cells(of: table, lines[0], file, sandbox)
    #expect(rows.count == lines.count - 1, "\(name)")
    for (row, line) in zip(rows, lines.dropFirst()) {
      for place in line.indices where row[place] != columns[place].stored(line[place]) {
        Issue.record("\(name) \(lines[0][place]): \(line[place]) is \(row[place]) in the database")
      }
    }
  }

  private struct Column {
    let type: String
    let unit: String
    let isKey: Bool

    /// Returns the type and the text of a cell as the database must have it.
    func stored(_ cell: String) -> Export.Cell {
      if cell.isEmpty, !isKey || type != "TEXT" { return Export.Cell(type: "null", text: "") }
      if unit.hasPrefix("thousandths") {
        let parts = cell.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts[1] + String(repeating: "0", count: 3 - parts[1].count)
        let digits = Int(parts[0] + decimals) ?? 0
        return Export.Cell(type: "integer", text: "\(digits)")
      }
      switch type {
      case "TEXT": return Export.Cell(type: "text", text: Export.unguarded(cell))
      case "INTEGER": return Export.Cell(type: "integer", text: cell)
      // SQLite makes whole numbers of a column of several kinds integers.
      case "NUMERIC" where Double(cell).map { $0 == $0.rounded() } == true:
        return Export.Cell(type: "integer", text: "\(Int(Double(cell) ?? 0))")
      default: return Export.Cell(type: "real", text: "\(Double(cell) ?? .nan)")
      }
    }
  }

  @Test
  func `have the types, units and keys of docs/schema.csv`() throws {
    let sandbox = try Export.reports("--sqlite all.sqlite")
    let text = try #require(Files.text(of: Repository.root + "/docs/schema.csv"))
    let promised = CSVText.lines(text).dropFirst().filter { $0[1] != "(dimensions)" }
    var found: Set<String> = []
    for report in ["sample", "paid"] {
      let rows = try Export.select(
        "SELECT table_name, column_name, type, unit, key_place IS NOT NULL FROM columns",
        of: "\(report)/all.sqlite", in: sandbox)
      for row in rows {
        // CSV has amounts in whole units.
        let amount = "thousandths of "
        let isAmount = row[3].hasPrefix(amount)
        let types = ["TEXT": "text", "INTEGER": "integer", "REAL": "decimal", "NUMERIC": "decimal"]
        found.insert(
          [
            row[0], row[1], isAmount ? "decimal" : types[row[2]] ?? "",
            isAmount ? String(row[3].dropFirst(amount.count)) : row[3], row[4] == "1" ? "key" : "",
          ].joined(separator: ","))
      }
    }
    for line in promised where !line[0].hasPrefix("evidence/") {
      let table = Export.identifier(String(line[0].dropLast(".csv".count)))
      let expected = ([table, line[1]] + line[3...]).joined(separator: ",")
      #expect(found.contains(expected))
    }
  }

  @Test
  func `have views with amounts in whole units, and the days of months`() throws {
    let sandbox = try Export.reports("--sqlite all.sqlite")
    let rows = try Export.select(
      """
      SELECT v.net_proceeds = t.net_proceeds / 1000.0, v.date, v.time = unixepoch(v.date)
      FROM proceeds_view AS v JOIN proceeds AS t USING (source, month, currency)
      WHERE source = 'sales' GROUP BY month ORDER BY month
      """, of: "sample/all.sqlite", in: sandbox)
    #expect(rows.count == 9)
    #expect(rows.first == ["1", "2026-01-01", "1"])
    #expect(rows.allSatisfy { $0[0] == "1" && $0[2] == "1" })
    let counts = try Export.select(
      """
      SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE '%\\_view' ESCAPE '\\'
      """, of: "sample/all.sqlite", in: sandbox
    ).map { $0[0] }
    #expect(counts.count > 50)
    for view in counts {
      let table = view.dropLast("_view".count)
      let same = try Export.select(
        "SELECT (SELECT count(*) FROM \(view)) = (SELECT count(*) FROM \(table))",
        of: "sample/all.sqlite", in: sandbox)
      #expect(same == [["1"]], "\(view)")
    }
    let newest = try Export.select(
      "SELECT value, change, source, month FROM newest WHERE figure = 'active'",
      of: "sample/all.sqlite", in: sandbox)
    #expect(newest == [["301", "-8", "events", "2026-09"]])
    // A period of Apple's fiscal calendar begins on a Sunday.
    let periods = try sandbox.run(
      "churn \(Export.sample) --fiscal --all-months -o fiscal.sqlite --source subscribers -q")
    #expect(periods.status == 0, "\(periods.errors)")
    let days = try Export.select(
      "SELECT date, strftime('%w', date) FROM churn_view WHERE month = 'FY2026-P08'",
      of: "fiscal.sqlite", in: sandbox)
    #expect(days == [["2026-05-03", "0"]])
  }

  @Test
  func `of one command have its table, with a key unless columns were chosen`() throws {
    let sandbox = try Sandbox()
    let words = "proceeds \(Export.sample) --by country,product --all-months"
    let csv = try sandbox.run("\(words) -f csv")
    // Standard output that is no terminal receives the same bytes as a file.
    let piped = try sandbox.runShell("\"$0\" \(words) -f sqlite >piped.db")
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try sandbox.run("\(words) -o file.db").status == 0)
    #expect(
      Files.bytes(of: sandbox.work + "/piped.db") == Files.bytes(of: sandbox.work + "/file.db"))
    try compare("proceeds-by-country-product", CSVText.lines(csv.output), "file.db", sandbox)
    #expect(try sandbox.run("\(words) -o some.sqlite3 --columns source,charges").status == 0)
    let info = try Export.select(
      "SELECT name, pk FROM pragma_table_info('proceeds_by_country_product')", of: "some.sqlite3",
      in: sandbox)
    #expect(info == [["source", "0"], ["charges", "0"]])
  }

  @Test
  func `are replaced as a whole, and not while another program writes to them`() throws {
    let sandbox = try Sandbox()
    let words = "churn \(Export.sample) -o churn.sqlite"
    #expect(try sandbox.run(words).status == 0)
    let first = Files.bytes(of: sandbox.work + "/churn.sqlite")
    try Files.write([], to: sandbox.work + "/churn.sqlite-wal")
    let refused = try sandbox.run("renewals \(Export.sample) -o churn.sqlite")
    #expect(refused.status == 64)
    #expect(Files.bytes(of: sandbox.work + "/churn.sqlite") == first)
    #expect(Files.paths(below: sandbox.work).sorted() == ["churn.sqlite", "churn.sqlite-wal"])
  }

  @Test
  func `replace no file of another program`() throws {
    let sandbox = try Sandbox()
    let report = "report \(Export.sample) -o out -q --sqlite own.sqlite"
    let made = try Program.run(
      ["own.sqlite", "CREATE TABLE own (x); INSERT INTO own VALUES (1)"], program: "sqlite3",
      in: sandbox)
    #expect(made.status == 0)
    try Export.refuses(report, "own.sqlite", canForce: true, sandbox)
    try Export.refuses(
      "churn \(Export.sample) -o own.sqlite", "own.sqlite", canForce: false, sandbox)
    #expect(Files.paths(below: sandbox.work) == ["own.sqlite"])
    #expect(try sandbox.run(report + " --force").status == 0)
    #expect(try sandbox.run(report).status == 0)
    // A table that the user adds would be lost.
    let added = try Program.run(
      ["own.sqlite", "CREATE TABLE own (x)"], program: "sqlite3", in: sandbox)
    #expect(added.status == 0)
    try Export.refuses(report, "own.sqlite", canForce: true, sandbox)
    try Files.write([], to: sandbox.work + "/own.sqlite")
    #expect(try sandbox.run(report).status == 0)
  }

  @Test
  func `answer the queries of docs/databases.md as it says`() throws {
    let sandbox = try Export.reports("--sqlite all.sqlite")
    let page = try #require(Files.text(of: Repository.root + "/docs/databases.md"))
    let queries = page.matches(of: /```sql\n([^`]+)```\n\n([^`]+?\|\n)\n/)
    #expect(queries.count == 3)
    for query in queries {
      let found = try Program.run(
        ["-markdown", "sample/all.sqlite", String(query.1)], program: "sqlite3", in: sandbox)
      #expect(found.output == query.2)
    }
  }

  @Test(.enabled(if: TestTerminal.isThere, "python3 is not installed"))
  func `are no text for a terminal`() throws {
    let found = try TestTerminal.run(
      "churn \(Export.sample) -f sqlite", columns: 80, lines: 24, in: Sandbox())
    #expect(found.status == 64)
    #expect(
      found.notes
        == "the format sqlite is no text for a terminal; name a file, such as -o subreport.sqlite\n"
    )
    #expect(found.screen == [""])
  }

  @Test(arguments: Export.hostileNames)
  func `have hostile names as texts`(name: String) throws {
    let sandbox = try Export.world(named: name)
    #expect(try sandbox.run("churn world --by product --all-months -o churn.sqlite -q").status == 0)
    let rows = try Export.cells(of: "churn_by_product", ["product"], "churn.sqlite", sandbox)
    #expect(rows.contains([Export.Cell(type: "text", text: name)]))
  }
}

/// Opens workbooks in LibreOffice, which we did not write.
@Suite(
  "workbooks",
  .enabled(if: Export.has("soffice"), "LibreOffice is not installed: make exports-tools"))
struct WorkbookTests {
  /// Converts each sheet to CSV with full numbers, and returns its lines by its name.
  private func sheets(of book: String, in sandbox: Sandbox) throws -> [String: [[String]]] {
    let form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    let converted = try Program.run(
      ["--headless", "--convert-to", form, "--outdir", "sheets", book], program: "soffice",
      in: sandbox)
    #expect(converted.status == 0, "\(converted.errors)")
    var sheets: [String: [[String]]] = [:]
    for path in Files.paths(below: sandbox.work + "/sheets") {
      let name = path.dropFirst(book.count - ".xlsx".count + 1).dropLast(".csv".count)
      let text = Files.text(of: sandbox.work + "/sheets/" + path) ?? ""
      sheets[String(name)] = CSVText.lines(text)
    }
    return sheets
  }

  @Test
  func `have every cell of every table of a report, numbers as numbers`() throws {
    let sandbox = try Export.reports("--xlsx all.xlsx")
    for report in ["sample", "paid"] {
      _ = try sandbox.runShell("rm -rf sheets; cp \(report)/all.xlsx .")
      let sheets = try sheets(of: "all.xlsx", in: sandbox)
      let tables = try Export.tables(of: "\(report)/out", in: sandbox)
      #expect(sheets.count == tables.count + 2)
      #expect(sheets["columns"]?.first?.last == "meaning")
      #expect(sheets["tables"]?.count == tables.count + 1)
      for (name, lines) in tables {
        let sheet = name.count <= 31 ? name : String(name.prefix(29)) + "~1"
        let found = sheets[sheet] ?? []
        #expect(found.count == lines.count && found.first == lines.first, "\(name)")
        for (row, line) in zip(found, lines).dropFirst() {
          for place in line.indices where !isSame(row[place], line[place]) {
            Issue.record("\(name) \(lines[0][place]): \(line[place]) is \(row[place]) in the sheet")
          }
        }
      }
    }
  }

  private func isSame(_ cell: String, _ expected: String) -> Bool {
    if cell == Export.unguarded(expected) { return true }
    let isPercent = cell.hasSuffix("%")
    let digits = isPercent ? String(cell.dropLast()) : cell
    guard let number = Double(digits), let other = Double(expected) else { return false }
    // 9.3851 % is 0.093851, but for the last bit of a division.
    return isPercent ? abs(number / 100 - other) < 1e-12 : number == other
  }

  @Test
  func `show percentages and amounts, and keep the header in sight`() throws {
    let sandbox = try Sandbox()
    let made = try sandbox.run("churn \(Export.sample) --month last -o book.xlsx")
    #expect(made.status == 0, "\(made.errors)")
    let shown = try Program.run(
      [
        "--headless", "--convert-to",
        "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true", "book.xlsx",
      ], program: "soffice", in: sandbox)
    #expect(shown.status == 0)
    let text = try #require(Files.text(of: sandbox.work + "/book.csv"))
    #expect(text.contains(",9.39%,6.61%,13.15%,final\n"))
    let sheet = try sandbox.runShell("unzip -p book.xlsx xl/worksheets/sheet1.xml")
    #expect(sheet.output.contains("<pane ySplit=\"1\" topLeftCell=\"A2\""))
    #expect(!sheet.output.contains("<f>"))
  }

  @Test
  func `have hostile names as texts`() throws {
    let sandbox = try Export.world(named: Export.hostileNames[0])
    for name in Export.hostileNames {
      let world = try Export.world(named: name)
      let made = try world.run("churn world --by product --all-months -o book.xlsx -q")
      #expect(made.status == 0, "\(made.errors)")
      _ = try sandbox.runShell("rm -rf sheets; cp \(world.work)/book.xlsx .")
      let lines = try sheets(of: "book.xlsx", in: sandbox)["churn-by-product"] ?? []
      let place = try #require(lines.first?.firstIndex(of: "product"))
      #expect(lines.contains { $0[place] == name }, "\(name)")
    }
  }

  @Test
  func `say why they cannot be made, and leave the old one`() throws {
    let sandbox = try Sandbox()
    let words = "churn \(Export.sample) -o book.xlsx"
    #expect(try sandbox.run(words).status == 0)
    let first = Files.bytes(of: sandbox.work + "/book.xlsx")
    let failed = try sandbox.run(words, environment: ["TMPDIR": "/nowhere"])
    #expect(failed.status == 2)
    #expect(
      failed.errors.hasSuffix(
        "error: the format xlsx: /nowhere: cannot make a temporary file: no such file or directory [cannot-export]\n"
      ))
    // No file may be longer than 100 KiB: the rows of the large sheet are cut, of which the library says nothing.
    let cut = try sandbox.runShell(
      "ulimit -f 100; \"$0\" lifetime \(Export.sample) --by product --all-months -q -o book.xlsx")
    #expect(cut.status == 2)
    #expect(cut.errors.hasPrefix("error: the format xlsx: /"))
    #expect(cut.errors.split(separator: "\n").count == 1, "\(cut.errors)")
    #expect(Files.bytes(of: sandbox.work + "/book.xlsx") == first)
  }

  @Test
  func `replace no file of another program`() throws {
    let sandbox = try Sandbox()
    let report = "report \(Export.sample) -o out -q --xlsx own.xlsx"
    try Files.write(Array("my words".utf8), to: sandbox.work + "/own.xlsx")
    try Export.refuses(report, "own.xlsx", canForce: true, sandbox)
    let table = "churn \(Export.sample) -o own.xlsx"
    try Export.refuses(table, "own.xlsx", canForce: false, sandbox)
    #expect(try sandbox.run(report + " --force").status == 0)
    #expect(try sandbox.run(report).status == 0)
    #expect(try sandbox.run(table).status == 0)
    // What the user has written into a workbook would be lost.
    let saved = try Program.run(
      ["--headless", "--convert-to", "xlsx", "--outdir", "saved", "own.xlsx"], program: "soffice",
      in: sandbox)
    #expect(saved.status == 0)
    try Export.refuses(
      "\(table.dropLast("own.xlsx".count))saved/own.xlsx", "saved/own.xlsx", canForce: false,
      sandbox)
  }

  @Test
  func `are the same bytes for the same reports`() throws {
    let sandbox = try Sandbox()
    for name in ["one.xlsx", "other.xlsx"] {
      #expect(try sandbox.run("churn \(Export.sample) -o \(name)").status == 0)
      _ = try sandbox.runShell("sleep 2")
    }
    #expect(
      Files.bytes(of: sandbox.work + "/one.xlsx") == Files.bytes(of: sandbox.work + "/other.xlsx"))
  }
}

/// What tests of databases and workbooks share.
enum Export {
  static let sample = Repository.root + "/sample-reports"

  /// Names of a product that a program could take for something else.
  static let hostileNames = [
    "=1+1", "@SUM(A1)", "-2", "_x0041_", "a\u{1}b\u{1F}", "\u{202E}txt.exe\u{202C}", "1e5",
    "He said \"; DROP TABLE churn", String(repeating: "long name ", count: 20) + ".",
  ]

  /// Runs a command that must not replace a file.
  static func refuses(
    _ command: String, _ file: String, canForce: Bool, _ sandbox: Sandbox
  ) throws {
    let before = Files.bytes(of: sandbox.work + "/" + file)
    let refused = try sandbox.run(command)
    #expect(refused.status == 2)
    let advice = canForce ? "give --force, which replaces it" : "remove it"
    #expect(
      refused.errors
        == "\(file): error: subreport did not write this file, or another program has changed it; name another file, or \(advice) [foreign-file]\n"
    )
    #expect(Files.bytes(of: sandbox.work + "/" + file) == before)
  }

  /// Returns whether a program can be run.
  static func has(_ program: String) -> Bool {
    guard let sandbox = try? Sandbox() else { return false }
    return (try? Program.run(["--version"], program: program, in: sandbox))?.status == 0
  }

  /// Writes two reports that together have every table, each in a folder of its own.
  static func reports(_ options: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    let script = """
      mkdir sample paid && cd sample
      "$0" report \(sample) -o out -q \(options) --ledger ledger.jsonl --cache cache || exit 1
      cd ../paid
      "$0" simulate -o world --subscribers 60 --from 2026-01-01 --to 2026-04-30 --finance || exit 1
      printf 'product,country,date,new_price,currency\\nPlus Monthly,US,2026-12-01,19.99,USD\\n' >plan.csv
      "$0" report world -o out -q --plan plan.csv \(options)
      test -e out/manifest.json
      """
    let made = try sandbox.runShell(script)
    try #require(made.status == 0, "\(made.errors)")
    return sandbox
  }

  /// Makes a small world in which a product has another name.
  static func world(named name: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    try Files.write(
      Array("s\u{7F}Pro Monthly\u{7F}\(name)\u{7F}\n".utf8), to: sandbox.work + "/script")
    let made = try sandbox.runShell(
      """
      "$0" simulate -o world --subscribers 60 --from 2026-01-01 --to 2026-03-31 --clean || exit 1
      for file in world/*/*.gz; do
        gzip -dc "$file" | sed -f script | gzip >packed && mv packed "$file"
      done
      """)
    try #require(made.status == 0, "\(made.errors)")
    return sandbox
  }

  /// Returns the lines of each CSV file of a folder by its name without `.csv`.
  static func tables(of folder: String, in sandbox: Sandbox) throws -> [String: [[String]]] {
    var tables: [String: [[String]]] = [:]
    for path in Files.paths(below: sandbox.work + "/" + folder) where path.hasSuffix(".csv") {
      let text = try #require(Files.text(of: sandbox.work + "/\(folder)/\(path)"))
      tables[String(path.dropLast(".csv".count))] = CSVText.lines(text)
    }
    return tables
  }

  /// The name of a table in a database.
  static func identifier(_ name: String) -> String {
    String(name.map { $0 == "-" ? "_" : $0 })
  }

  /// Returns a text without the apostrophe that CSV puts before what a spreadsheet would run.
  static func unguarded(_ cell: String) -> String {
    let rest = cell.unicodeScalars.dropFirst()
    let isGuarded =
      cell.unicodeScalars.first == "'"
      && rest.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == true
    return isGuarded ? String(rest) : cell
  }

  /// A cell of a database.
  struct Cell: Equatable {
    let type: String
    let text: String
  }

  /// Returns what sqlite3 prints for a query, by rows and cells.
  static func select(_ query: String, of file: String, in sandbox: Sandbox) throws -> [[String]] {
    let found = try Program.run(
      ["-separator", "|", file, query], program: "sqlite3", in: sandbox)
    try #require(found.status == 0 && found.errors.isEmpty, "\(query): \(found.errors)")
    return found.output.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the cells of a table, read as hexadecimal digits so that no byte of a text is lost.
  static func cells(
    of table: String, _ columns: [String], _ file: String, _ sandbox: Sandbox
  ) throws -> [[Cell]] {
    let cells = columns.map { "typeof(\"\($0)\") || ':' || hex(\"\($0)\")" }
    let rows = try select(
      "SELECT \(cells.joined(separator: ", ")) FROM \"\(table)\" ORDER BY rowid", of: file,
      in: sandbox)
    return rows.map { row in
      row.map { cell in
        let parts = cell.split(separator: ":", omittingEmptySubsequences: false)
        let digits = Array(parts[1].utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let number = parts[0] == "real" ? Double(text).map { "\($0)" } : nil
        return Cell(type: String(parts[0]), text: number ?? text)
      }
    }
  }
}

import Crypto
import SubreportTestSupport
import Testing

/// Compares the columns that the program writes with those that docs/schema.csv promises.
@Suite("schema")
struct SchemaTests {
  /// A column of docs/schema.csv.
  private struct Promise {
    let file: String
    let column: String
    let since: String
  }

  /// Where the dimensions of a view stand.
  private static let dimensions = "(dimensions)"

  /// The SHA-256 of the lines of docs/schema.csv of each version that is out, and of the next one.
  ///
  /// A line of a version that is out must never change: that breaks the programs that read the files. If it has to,
  /// raise `Manifest.schemaVersion`, write into CHANGELOG what to do, and begin docs/schema.csv anew.
  private static let hashes = [
    "0.1.0": "fe8349d810413ea6e8e7369c2715ec20e9c34bccff39f8d4a4b051e57cc87d7d"
  ]

  private func promises() throws -> [Promise] {
    let text = try #require(Files.text(of: Repository.root + "/docs/schema.csv"))
    let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    try #require(lines.first == ["file", "column", "since", "type", "unit", "key"])
    return lines.dropFirst().map { Promise(file: $0[0], column: $0[1], since: $0[2]) }
  }

  /// The header of each CSV file in a folder, by path.
  private func headers(in folder: String, _ sandbox: Sandbox) throws -> [String: [String]] {
    var headers: [String: [String]] = [:]
    for path in Files.paths(below: sandbox.work + "/" + folder) {
      let isPacked = path.hasSuffix(".csv.gz")
      guard isPacked || path.hasSuffix(".csv") else { continue }
      let found = try sandbox.runShell(
        "\(isPacked ? "gzip -dc" : "cat") '\(folder)/\(path)' | head -n 1")
      headers[path] = found.output.split(whereSeparator: \.isNewline).first
        .map { $0.split(separator: ",").map(String.init) }
    }
    return headers
  }

  /// The headers of two reports that together have every file.
  private func written() throws -> [String: [String]] {
    let sandbox = try Sandbox()
    let sample = Repository.root + "/sample-reports"
    let first = try sandbox.run(
      "report \(sample) -o out -q --evidence --ledger ledger.jsonl --cache cache")
    #expect(first.status == 0, "\(first.errors)")
    let world = try sandbox.run(
      "simulate -o world --subscribers 60 --from 2026-01-01 --to 2026-04-30 --finance")
    #expect(world.status == 0, "\(world.errors)")
    let plan = "product,country,date,new_price,currency\nPlus Monthly,US,2026-12-01,19.99,USD\n"
    try Files.write(Array(plan.utf8), to: sandbox.work + "/plan.csv")
    _ = try sandbox.run("report world -o paid -q --plan plan.csv")
    return try headers(in: "out", sandbox).merging(headers(in: "paid", sandbox)) { $1 }
  }

  @Test
  func `docs/schema.csv has every column of every file, in order`() throws {
    let promised = Dictionary(grouping: try promises(), by: \.file).mapValues { $0.map(\.column) }
    let written = try written()
    #expect(written.count > 60)
    for (path, columns) in written {
      let parts = path.split(separator: ".csv")[0].split(separator: "-by-")
      let file = parts.count == 2 ? parts[0] + ".csv" : path[...]
      let names = parts.count == 2 ? parts[1].split(separator: "-").map(String.init) : []
      let promises = (promised[String(file)] ?? []).flatMap { $0 == Self.dimensions ? names : [$0] }
      let expected = promises + (names.contains("product") ? ["product_id"] : [])
      #expect(columns == expected, "\(path): add new columns at the end of it in docs/schema.csv")
    }
    #expect(Set(promised.keys).subtracting(written.keys).isEmpty, "promised and not written")
  }

  @Test
  func `each table by product has the same ids of products, in its last column`() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("report \(Repository.root)/sample-reports -o out -q").status == 0)
    var (ids, tables): ([String: Set<String>], Int) = ([:], 0)
    for path in Files.paths(below: sandbox.work + "/out") where path.hasSuffix(".csv") {
      let lines = CSVText.lines(try #require(Files.text(of: "\(sandbox.work)/out/\(path)")))
      guard let place = lines[0].firstIndex(of: path == "drivers.csv" ? "value" : "product") else {
        continue
      }
      tables += 1
      #expect(lines[0].last == "product_id", "\(path)")
      for line in lines.dropFirst() where path != "drivers.csv" || line.contains("product") {
        // The names of receipts are ids.
        let name = line[place] == "(not in the view)" ? "" : line[place]
        ids["\(name == line.last ? "id" : "name") \(name)", default: []].insert(line.last ?? "")
      }
    }
    #expect(tables > 18)
    #expect(ids.values.allSatisfy { $0.count == 1 }, "\(ids)")
    #expect(ids["name Plus Monthly"]?.first?.count ?? 0 > 5, "\(ids)")
  }

  @Test
  func `new columns come after the others, and those of a version that is out stay`() throws {
    let promises = try promises()
    for (file, columns) in Dictionary(grouping: promises, by: \.file) {
      let versions = columns.map { $0.since.split(separator: ".").compactMap { Int($0) } }
      for (earlier, later) in zip(versions, versions.dropFirst()) {
        #expect(!later.lexicographicallyPrecedes(earlier), "\(file)")
      }
    }
    let lines = Dictionary(grouping: promises, by: \.since)
      .mapValues { $0.map { "\($0.file),\($0.column)\n" }.joined() }
    let found = lines.mapValues { text in
      SHA256.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined()
    }
    #expect(found == Self.hashes)
  }

  @Test
  func `subreport metrics tells of each table what its columns mean`() throws {
    let sandbox = try Sandbox()
    let promised = Dictionary(grouping: try promises(), by: \.file).filter { !$0.key.contains("/") }
    #expect(promised.count > 20)
    for (file, columns) in promised {
      let printed = try sandbox.run("metrics \(file.dropLast(4))")
      #expect(printed.status == 0, "\(file): \(printed.errors)")
      // Tables of metrics list their own columns below a text, with blanks before them; others all columns below a header.
      let lines = printed.output.split(separator: "\n")
      guard lines.first?.hasPrefix("column ") == true else { continue }
      let named = lines.dropFirst().map { String($0.prefix { $0 != " " }) }
      let expected = columns.map(\.column).filter { $0 != Self.dimensions }
      #expect(Set(expected).subtracting(named).isSubset(of: ["source"]), "\(file): \(named)")
    }
  }

  @Test
  func `the page names the numbers of this program`() throws {
    let sandbox = try Sandbox()
    let world = try sandbox.run("simulate -o world --subscribers 5 --to 2026-01-31 --clean")
    #expect(world.status == 0)
    #expect(try sandbox.run("report world -o out -q").status == 0)
    let manifest = try #require(Files.text(of: sandbox.work + "/out/manifest.json"))
    let page = try #require(Files.text(of: Repository.root + "/docs/schema.md"))
    for name in ["version", "definitions", "schema"] {
      let line = try #require(
        manifest.split(separator: "\n").first { $0.contains("\"\(name)\"") })
      #expect(page.contains(line))
    }
  }

  @Test
  func `CHANGELOG says for each version what to do`() throws {
    let text = try #require(Files.text(of: Repository.root + "/CHANGELOG.md"))
    let versions = text.components(separatedBy: "\n## ").dropFirst()
    #expect(!versions.isEmpty)
    for version in versions {
      #expect(version.contains("\n### What to do\n"), "\(version.prefix(20))")
    }
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [String] {
    split(separator: mark, omittingEmptySubsequences: false).map(String.init)
  }
}

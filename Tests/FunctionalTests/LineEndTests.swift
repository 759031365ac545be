import SubreportTestSupport
import Testing

/// Saves the files of a simulated world as old programs did, with lines that end in CR.
@Suite("line ends")
struct LineEndTests {
  /// Which line feeds become CR.
  enum Change: CaseIterable {
    /// All of them.
    case all
    /// That of the first line.
    case first
    /// All but the first.
    case others
    /// That of every second line, from the second.
    case some

    func applied(to text: [UInt8]) -> [UInt8] {
      var line = 0
      return text.map { byte in
        guard byte == 0x0A else { return byte }
        line += 1
        let isChanged =
          switch self {
          case .all: true
          case .first: line == 1
          case .others: line > 1
          case .some: line % 2 == 0
          }
        return isChanged ? 0x0D : byte
      }
    }
  }

  /// A world in the folder `in`, nothing of it compressed.
  private static let world = Result {
    let sandbox = try Sandbox()
    let words =
      "simulate -o in --subscribers 60 --from 2026-04-01 --to 2026-06-30 --seed 5 --clean --finance"
    try #require(try sandbox.run(words + " --contingent 0.1").status == 0)
    removeTree(sandbox.work + "/in/truth")
    removeTree(sandbox.work + "/in/receipts/root.cer")
    try #require(try sandbox.runShell("gzip -dr in; $0 report in -o out -q").status == 0)
    return sandbox
  }

  /// The names of the tables, which do not depend on how lines end.
  private static func tables(_ sandbox: Sandbox, _ folder: String) -> [String: String] {
    let files = Files.paths(below: sandbox.work + "/" + folder).filter {
      $0.hasSuffix(".csv") && !["health.csv", "changes.csv"].contains($0)
    }
    return Dictionary(
      uniqueKeysWithValues: files.map {
        ($0, Files.text(of: "\(sandbox.work)/\(folder)/\($0)") ?? "")
      })
  }

  private static let reports = [
    "subscriber", "subscription", "subscription-event", "sales", "finance/region", "finance/single",
    "finance/detail", "finance/payments",
  ]

  /// The file with most rows of a folder.
  private static func largest(_ folder: String, _ world: Sandbox) throws -> String {
    let paths = Files.paths(below: world.work + "/in/" + folder).map { folder + "/" + $0 }
    let size = { (path: String) in Files.bytes(of: world.work + "/in/" + path)?.count ?? 0 }
    return try #require(paths.max { size($0) < size($1) }, "\(folder)")
  }

  @Test(arguments: [Change.all, .first])
  func `in CR, from the first line on, change no table`(change: Change) throws {
    let world = try Self.world.get()
    let sandbox = try Sandbox()
    for path in Files.paths(below: world.work + "/in") {
      let text = Files.bytes(of: world.work + "/in/" + path) ?? []
      try Files.write(change.applied(to: text), to: sandbox.work + "/in/" + path)
    }
    let result = try sandbox.run("report in -o out -q")
    #expect(result.status == 0)
    #expect(result.errors == "")
    let (expected, found) = (Self.tables(world, "out"), Self.tables(sandbox, "out"))
    #expect(expected.keys.sorted() == found.keys.sorted())
    for (name, text) in expected { #expect(found[name] == text, "\(name)") }
    #expect(try sandbox.run("inspect in -f csv").output.contains(",,\n"))
  }

  @Test(arguments: [Change.others, .some])
  func `in CR among others are an error of the report, and never lose a row in silence`(
    change: Change
  ) throws {
    let world = try Self.world.get()
    for folder in Self.reports {
      let path = try Self.largest(folder, world)
      let sandbox = try Sandbox()
      let text = Files.bytes(of: world.work + "/in/" + path)
      let changed = change.applied(to: try #require(text, "\(path)"))
      try Files.write(changed, to: sandbox.work + "/" + path)
      let result = try sandbox.run("check \(path)")
      #expect(result.status == 2, "\(path): \(result.errors)\(result.output)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(path): \(result.errors)")
      // Without a line that can be read before the first CR, nothing tells which report it is.
      let isSaid = ["in CR alone among others", "[unrecognized-file]"].contains(
        where: result.errors.contains)
      #expect(isSaid, "\(path): \(result.errors)")
    }
  }

  @Test(arguments: [Change.others, .some])
  func `in CR among others are read in tables and lines of JSON`(change: Change) throws {
    let world = try Self.world.get()
    let names = names(inFolder: world.work + "/in/receipts")
    #expect(names.count > 3)
    for name in names {
      let sandbox = try Sandbox()
      let path = world.work + "/in/receipts/" + name
      let text = try #require(Files.bytes(of: path))
      try Files.write(change.applied(to: text), to: sandbox.work + "/" + name)
      let expected = try sandbox.run("inspect \(path) -f csv").lines.last?.split(separator: ",")
      let found = try sandbox.run("inspect \(name) -f csv").lines.last?.split(separator: ",")
      #expect(expected?.dropFirst() == found?.dropFirst(), "\(name)")
    }
  }

  @Test
  func `that are missing after the header make a damaged header, which shows no cell of a row`()
    throws
  {
    let world = try Self.world.get()
    for folder in Self.reports.prefix(6) {
      let path = try Self.largest(folder, world)
      let text = try #require(Files.text(of: world.work + "/in/" + path), "\(path)")
      let lines = text.split(separator: "\n", maxSplits: 2)
      for separator in ["", "\t", "x", "\u{B}"] {
        let sandbox = try Sandbox()
        let joined = lines[0] + separator + lines[1] + "\n"
        try Files.write(Array(joined.utf8), to: sandbox.work + "/" + path)
        // The day and the vendor are in the file's name too.
        let cells = Set(lines[1].split(separator: "\t").filter { $0.utf8.count > 5 })
          .filter { !path.contains($0.filter { $0 != "-" }) }
        for words in ["check in", "inspect \(path)", "report \(path) -o out --ledger ledger"] {
          let result = try sandbox.run(words.replacing("check in", with: "check \(path)"))
          #expect(result.status == 2, "\(words) \(path): \(result.errors)\(result.output)")
          let shown = result.errors + result.output
          for cell in cells { #expect(!shown.contains(cell), "\(cell) in \(shown)") }
        }
      }
    }
  }
}

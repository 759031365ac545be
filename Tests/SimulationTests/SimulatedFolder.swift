import Glibc
import Simulation
import SubreportTestSupport
import Testing

/// A simulated world in memory, as it was written to a folder.
final class SimulatedFolder: Sendable {
  let summary: SimulationSummary
  /// All files' paths inside, sorted by bytes.
  let files: [String]
  private let contents: [String: [UInt8]]
  private let parsed = Memo<String, [[String: String]]>()

  /// Simulates a world, which is not shared.
  init(_ world: WorldOptions) throws {
    let path = try Files.makeTemporaryFolder()
    defer { removeTree(path) }
    summary = try Simulator.write(world: world, to: path)
    files = Files.paths(below: path)
    contents = try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try #require(Files.bytes(of: path + "/" + $0))) })
  }

  private static let worlds = Memo<WorldOptions, SimulatedFolder>()

  /// Returns the world that all tests share that ask for the same one.
  static func shared(_ world: WorldOptions) throws -> SimulatedFolder {
    try worlds.value(world) { try SimulatedFolder(world) }
  }

  func bytes(_ file: String) throws -> [UInt8] { try #require(contents[file], "there is \(file)") }

  /// The rows of all reports of one kind by column name, values trimmed.
  func records(_ kind: String) throws -> [[String: String]] {
    try parsed.value(kind) { try reports(kind).flatMap(\.records) }
  }

  /// The reports of one kind in path order, without the first versions of restated days.
  func reports(_ kind: String) throws -> [Report] {
    let names = files.filter { $0.hasPrefix(kind + "/") }
    return try names.filter { name in
      !names.contains(String(name.dropLast(".txt.gz".count)) + "_restated.txt.gz")
    }.map { Report(name: $0, text: try text($0)) }
  }

  func report(_ file: String) throws -> Report {
    Report(name: file, text: try text(file))
  }

  /// The rows of a CSV file of the truth, by column name.
  func truth(_ name: String) throws -> [[String: String]] {
    let lines = String(decoding: try bytes("truth/" + name), as: UTF8.self)
      .split(separator: "\n").map { splitCells(String($0)) }
    return lines.dropFirst().map { cells in
      Dictionary(uniqueKeysWithValues: zip(lines[0], cells))
    }
  }

  func text(_ file: String) throws -> String {
    let content = try #require(GzipMember.content(of: try bytes(file)), "\(file) is one member")
    return String(decoding: content, as: UTF8.self)
  }
}

/// One report file, split in the most obvious way.
struct Report {
  let name: String
  let columns: [String]
  let rows: [[String]]

  init(name: String, text: String) {
    self.name = name
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    columns = lines[0]
    rows = Array(lines.dropFirst())
  }

  /// The rows by column name, values trimmed.
  var records: [[String: String]] {
    rows.map { row in
      Dictionary(uniqueKeysWithValues: zip(columns, row.map(trimmed)))
    }
  }

  /// The day in the file's name.
  var day: String {
    let digits = name.split(whereSeparator: { "_./".contains($0) }).first {
      $0.count == 8 && $0 != "80012345"
    }
    let text = Array(digits ?? "")
    guard text.count == 8 else { return "" }
    return String(text[0..<4]) + "-" + String(text[4..<6]) + "-" + String(text[6..<8])
  }
}

/// An amount such as `-9.99` in hundredths.
func hundredths(_ text: String?) -> Int {
  let digits = (text ?? "").filter { $0 != "." && $0 != "-" }
  let size = Int(digits) ?? 0
  return text?.hasPrefix("-") == true ? -size : size
}

/// The number of a day such as `2026-01-31`, for differences.
func dayNumber(_ text: String) -> Int {
  let parts = text.split(separator: "-").compactMap { Int($0) }
  let month = (parts[1] + 9) % 12
  let year = parts[0] - (parts[1] <= 2 ? 1 : 0)
  return 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2]
}

func trimmed(_ text: String) -> String {
  guard text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ") else {
    return text
  }
  return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

private func splitCells(_ line: String) -> [String] {
  var cells = [""]
  var isQuoted = false
  for character in line {
    if character == "\"" {
      isQuoted.toggle()
    } else if character == ",", !isQuoted {
      cells.append("")
    } else {
      cells[cells.count - 1].append(character)
    }
  }
  return cells
}

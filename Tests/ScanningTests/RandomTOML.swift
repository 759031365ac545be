import Scanning
import SubreportTestSupport

/// Writes random documents in all the ways that the reader knows, and what they say.
struct RandomTOML {
  private var random: SeededGenerator
  private(set) var paths: [[String]] = []
  private(set) var values: [TOMLValue] = []
  private var names = 0

  /// Takes chance from a generator, which goes on where this one began.
  init(_ random: inout SeededGenerator) {
    self.random = SeededGenerator(seed: random.next())
  }

  mutating func document() -> String {
    var text = chance() ? "\u{FEFF}" : ""
    for _ in 0..<number(0...4) { text += pair([]) + lineEnd() }
    for _ in 0..<number(0...3) {
      let table = path(count: number(1...3))
      text +=
        "[" + table.map { blank() + key($0) + blank() }.joined(separator: ".") + "]" + lineEnd()
      for _ in 0..<number(0...4) { text += pair(table) + lineEnd() }
    }
    return text
  }

  // MARK: Keys

  private mutating func pair(_ table: [String]) -> String {
    let own = path(count: number(1...2))
    let written = own.map { blank() + key($0) + blank() }.joined(separator: ".")
    if chance(), own.count == 1 { return written + "=" + blank() + inlineTable(table + own) }
    paths.append(table + own)
    let (value, text) = value(depth: 0)
    values.append(value)
    return written + "=" + blank() + text + blank()
  }

  private mutating func inlineTable(_ path: [String]) -> String {
    let pairs = (0..<number(0...2)).map { _ in pair(path) }
    return "{" + (pairs.isEmpty ? blank() : pairs.joined(separator: ",")) + "}"
  }

  /// Names that no other path has.
  private mutating func path(count: Int) -> [String] {
    (0..<count).map { _ in
      names += 1
      return ["a", "Com-1", "é", "com.example", "x y", "\"", "'", ""][number(0...7)] + "\(names)"
    }
  }

  private mutating func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8.contains(byte)
    }
    if isBare, chance() { return name }
    if !name.contains("'"), chance() { return "'\(name)'" }
    return "\"" + name.replacing("\"", with: "\\\"") + "\""
  }

  // MARK: Values

  private mutating func value(depth: Int) -> (TOMLValue, String) {
    switch number(0...(depth < 3 ? 3 : 2)) {
    case 0: return chance() ? (.boolean(true), "true") : (.boolean(false), "false")
    case 1: return integer()
    case 2: return string()
    default:
      let items = (0..<number(0...3)).map { _ in value(depth: depth + 1) }
      let text = items.map { gap() + $0.1 + gap() }.joined(separator: ",")
      let end = items.isEmpty || chance() ? "" : "," + gap()
      return (.list(items.map(\.0)), "[" + text + end + gap() + "]")
    }
  }

  private mutating func integer() -> (TOMLValue, String) {
    let number = Int(truncatingIfNeeded: random.next()) >> number(0...63)
    if number >= 0, chance() {
      let (prefix, radix) = [("0x", 16), ("0o", 8), ("0b", 2)][self.number(0...2)]
      return (.integer(number), prefix + String(number, radix: radix, uppercase: chance()))
    }
    let sign = number >= 0 && chance() ? "+" : ""
    let text = "\(number)"
    let isLong = text.count > 3 && chance()
    return (.integer(number), sign + (isLong ? text.dropLast(2) + "_" + text.suffix(2) : text[...]))
  }

  private mutating func string() -> (TOMLValue, String) {
    let parts = ["a", "é", "😀", "\\", "\"", "'", "\n", "\t", "\u{1B}", "#", "=", "]", " "]
    let text = (0..<number(0...6)).map { _ in parts[number(0...parts.count - 1)] }.joined()
    let isPlain = !text.contains("\u{1B}")
    if isPlain, !text.contains("'"), !text.contains("\n"), chance() {
      return (.string(text), "'\(text)'")
    }
    if isPlain, !text.contains("'"), chance() { return (.string(text), "'''\n\(text)'''") }
    var escaped = ""
    let isLong = chance()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped += "\\\(scalar)"
      case "\n": escaped += isLong ? "\n" : "\\n"
      case "\u{1B}": escaped += "\\u001B"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return (.string(text), isLong ? "\"\"\"\n\(escaped)\\\n  \"\"\"" : "\"\(escaped)\"")
  }

  // MARK: Between

  private mutating func blank() -> String { ["", " ", "\t ", ""][number(0...3)] }
  private mutating func lineEnd() -> String { ["\n", "\r\n", " # é [\n", "\n\n"][number(0...3)] }
  private mutating func gap() -> String { ["", " ", "\n", " # , ]\n\t"][number(0...3)] }
  private mutating func chance() -> Bool { random.next() % 2 == 0 }
  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
}

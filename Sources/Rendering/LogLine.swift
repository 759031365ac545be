/// A message on standard error as a JSON object, for `--log-format json`.
///
/// Of `reports/a.txt:3:5: error: found "x", expected a day [not-a-date]` it is
/// `{"level":"error","message":"found \"x\", expected a day","file":"reports/a.txt","line":3,"field":5,"code":"not-a-date"}`.
/// A message about no file has neither file nor line.
package struct LogLine: Equatable, Sendable {
  /// How much a message matters; `--quiet` leaves out the others than errors.
  package enum Level: String, Sendable { case error, note, detail }

  let level: Level
  private(set) var message: String
  private(set) var file: String?
  /// The line in the file, from 1.
  private(set) var line: Int?
  /// The field in the line of a report, or the column in a config file, from 1.
  private(set) var field: Int?
  private(set) var code: String?

  /// Reads a message; `path` is the file that it begins with, `nil` where the message alone says it.
  package init(_ text: String, _ level: Level, path: String? = nil) {
    self.level = level
    message = text
    takeCode()
    if let path, message.hasPrefix(path) {
      // A name may have any text in it, also ": error: ".
      let rest = message.dropFirst(path.count)
      if let end = rest.firstRange(of: ": ")?.lowerBound { take(path + rest[..<end], end, path) }
    } else if let range = message.firstRange(of: ": error: ") {
      take(String(message[..<range.lowerBound]), range.lowerBound)
    } else if let range = message.firstRange(of: ": "), Self.isPlace(message[..<range.lowerBound]) {
      take(String(message[..<range.lowerBound]), range.lowerBound)
    }
    for word in ["error: ", "note: "] where message.hasPrefix(word) {
      message.removeFirst(word.count)
    }
  }

  /// The object, without a line feed.
  package var json: String {
    let members: [(String, JSONValue?)] = [
      ("level", .text(level.rawValue)), ("message", .text(message)),
      ("file", file.map(JSONValue.text)), ("line", line.map(JSONValue.count)),
      ("field", field.map(JSONValue.count)), ("code", code.map(JSONValue.text)),
    ]
    return JSONValue.object(
      members.compactMap { name, value in value.map { .init(name, $0) } }
    ).text
  }

  /// Takes a code such as ` [not-a-date]` from the end.
  private mutating func takeCode() {
    guard message.hasSuffix("]"), let open = message.lastIndex(of: "["),
      message[..<open].hasSuffix(" ")
    else { return }
    let word = message[message.index(after: open)...].dropLast()
    guard !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "-" }) else {
      return
    }
    code = String(word)
    message = String(message[..<open].dropLast())
  }

  /// Takes the place, such as `a.txt:3:5`, and the `: ` after it.
  private mutating func take(_ place: String, _ end: String.Index, _ path: String? = nil) {
    var numbers: [Int] = []
    var name = place[...]
    while numbers.count < 2, name != path?[...], let colon = name.lastIndex(of: ":"),
      let number = Int(name[name.index(after: colon)...])
    {
      numbers.insert(number, at: 0)
      name = name[..<colon]
    }
    file = String(name)
    line = numbers.first
    field = numbers.count > 1 ? numbers[1] : nil
    message = String(message[end...].dropFirst(2))
  }

  /// Returns whether the text before a colon is a place in a config file, such as `subreport.toml:3`.
  private static func isPlace(_ text: Substring) -> Bool {
    guard let colon = text.lastIndex(of: ":"), Int(text[text.index(after: colon)...]) != nil else {
      return false
    }
    return !text.hasPrefix("-") && text[..<colon].contains { $0 == "." || $0 == "/" }
  }
}

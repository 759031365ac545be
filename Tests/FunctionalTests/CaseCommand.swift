/// One line of a case's `command` file: variables, then the program's name and its words.
///
/// No shell reads the line. Words are separated by spaces, and a word in single quotes may hold some:
/// `NO_COLOR=1 subreport churn in --fail-if 'churn_rate > 0.08'`.
struct CaseCommand: Equatable, Sendable {
  /// A line that is no command.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  var environment: [String: String] = [:]
  var arguments: [String]

  init(_ line: String) throws(Failure) {
    var words = try Self.words(of: line)[...]
    while let word = words.first, word != "subreport", let sign = word.firstIndex(of: "=") {
      environment[String(word[..<sign])] = String(word[word.index(after: sign)...])
      words = words.dropFirst()
    }
    guard words.first == "subreport" else {
      throw Failure(description: "found \"\(line)\", expected subreport and its arguments")
    }
    arguments = Array(words.dropFirst())
  }

  /// Returns the commands of a `command` file; empty lines and those that begin with `#` are none.
  static func commands(of text: String) throws(Failure) -> [CaseCommand] {
    var commands: [CaseCommand] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      commands.append(try CaseCommand(String(line)))
    }
    guard !commands.isEmpty else { throw Failure(description: "the file has no command") }
    return commands
  }

  private static func words(of line: String) throws(Failure) -> [String] {
    var (words, word, isQuoted) = ([String](), String?.none, false)
    for character in line {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { throw Failure(description: "found \"\(line)\", expected another quote") }
    if let word { words.append(word) }
    return words
  }
}

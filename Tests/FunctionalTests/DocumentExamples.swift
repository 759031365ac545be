import Glibc
import SubreportTestSupport

/// The examples of a document, in order, as its reader would try them in a clone.
///
/// A fence that names a file, such as "csv plan.csv", is that file. A fence "console" has commands, which begin with `$`,
/// and under each what it prints; `…` stands for lines that are left out. The word of `# exit code 64` after a command is
/// how it ends.
struct DocumentExamples {
  /// One step of the reader.
  enum Step: Equatable {
    case write(file: String, text: String)
    case run(Command)
  }

  /// A command and what the document says of it.
  struct Command: Equatable {
    /// The words: variables such as `NAME=value`, the program, and its arguments.
    var words: [String]
    var status: Int32 = 0
    /// The lines that it prints, standard output before standard error where both are shown.
    var printed: [String] = []
  }

  private(set) var steps: [Step] = []

  /// Reads a document.
  ///
  /// - Parameter text: The Markdown.
  init(_ text: String) {
    var fence: (name: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("```") else {
        fence?.lines.append(line)
        continue
      }
      if let open = fence {
        add(open.name, open.lines)
        fence = nil
      } else {
        fence = (String(line.dropFirst(3)), [])
      }
    }
  }

  private mutating func add(_ name: String, _ lines: [String]) {
    let words = name.split(separator: " ")
    if words.count == 2 {
      steps.append(.write(file: String(words[1]), text: lines.map { $0 + "\n" }.joined()))
    } else if name == "console" {
      for line in lines { add(consoleLine: line) }
    }
  }

  private mutating func add(consoleLine line: String) {
    guard line.hasPrefix("$ ") else {
      guard case .run(var command)? = steps.popLast() else { return }
      command.printed.append(line)
      steps.append(.run(command))
      return
    }
    let parts = line.dropFirst(2).split(separator: "   # exit code ", maxSplits: 1)
    for command in parts[0].split(separator: " && ") {
      steps.append(.run(Command(words: Self.words(command))))
    }
    guard parts.count == 2, case .run(var last)? = steps.popLast() else { return }
    last.status = Int32(parts[1]) ?? -1
    steps.append(.run(last))
  }

  /// Splits a command at blanks outside of quotes.
  private static func words(_ command: Substring) -> [String] {
    var words = [""]
    var quote: Character?
    for character in command {
      switch character {
      case "'", "\"":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case " " where quote == nil: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}

extension DocumentExamples.Command {
  private var variables: [(String, String)] {
    words.prefix { $0.contains("=") }.map { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts[1])
    }
  }

  /// Whether it runs the program, or shows a file with `cat`.
  var isOfProgram: Bool {
    let name = words.dropFirst(variables.count).first
    return name == "subreport" || name == "cat"
  }

  /// Runs the command in a sandbox.
  ///
  /// - Parameter sandbox: Where it runs.
  /// - Returns: How it ended, and the lines of its standard output, or of standard error where that is empty.
  /// - Throws: When the program cannot be started.
  func run(in sandbox: Sandbox) throws -> (status: Int32, lines: [String]) {
    let rest = words.dropFirst(variables.count)
    guard rest.first != "cat" else {
      let text = Files.text(of: sandbox.work + "/" + (rest.last ?? ""))
      return (text == nil ? 1 : 0, Self.lines(text ?? ""))
    }
    let result = try Program.run(
      Array(rest.dropFirst()), environment: Dictionary(variables) { $1 }, in: sandbox)
    let printed = result.stdout.isEmpty ? result.stderr : result.stdout
    return (result.status, Self.lines(String(decoding: printed, as: UTF8.self)))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// Compares what the document shows with what the command prints; empty lines do not count.
  ///
  /// - Parameter lines: What the command prints.
  /// - Returns: The first line that differs: one that is not printed at its place, or one that is printed and left out
  ///   without `…`. `nil` when it is right, or when the document shows nothing.
  func difference(from lines: [String]) -> String? {
    let shown = printed.filter { !$0.isEmpty }
    guard !shown.isEmpty else { return nil }
    var rest = lines[...]
    var mayJump = false
    for line in shown {
      guard line != "…" else {
        mayJump = true
        continue
      }
      guard let place = mayJump ? rest.firstIndex(of: line) : rest.indices.first,
        rest[place] == line
      else { return line }
      rest = rest[(place + 1)...]
      mayJump = false
    }
    return mayJump ? nil : rest.first
  }
}

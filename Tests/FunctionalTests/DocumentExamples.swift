import SubreportTestSupport

/// The examples of a document, in order, as its reader would try them in a clone.
///
/// A fence that names a file, such as "csv plan.csv", is that file. A fence "console" has commands, which begin with `$`,
/// and below each its output; `…` stands for lines left out. `# exit code 64` after a command is its exit code.
struct DocumentExamples {
  /// One step of the reader.
  struct Step: Equatable {
    enum Action: Equatable {
      case write(String)
      case run(CaseCommand)
      /// `cat` of a file.
      case show
    }

    var action: Action
    /// The file to write or to show; of a command its line.
    var name: String
    var status: Int32 = 0
    /// The lines that the document shows.
    var printed: [String] = []
  }

  private(set) var steps: [Step] = []

  /// Reads a document.
  ///
  /// - Parameter text: The Markdown.
  /// - Throws: ``CaseCommand/Failure`` for a command that is not of the program.
  init(_ text: String) throws(CaseCommand.Failure) {
    var fence: (name: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("```") else {
        fence?.lines.append(line)
        continue
      }
      if let open = fence { try add(open.name, open.lines) }
      fence = fence == nil ? (String(line.dropFirst(3)), []) : nil
    }
  }

  private mutating func add(_ name: String, _ lines: [String]) throws(CaseCommand.Failure) {
    let words = name.split(separator: " ").map(String.init)
    if words.count == 2 {
      let text = lines.map { $0 + "\n" }.joined()
      steps.append(Step(action: .write(text), name: words[1]))
    }
    guard name == "console" else { return }
    for line in lines where !line.isEmpty {
      if line.hasPrefix("$ ") {
        try add(command: line.dropFirst(2))
      } else if !steps.isEmpty {
        steps[steps.count - 1].printed.append(line)
      }
    }
  }

  private mutating func add(command line: Substring) throws(CaseCommand.Failure) {
    let parts = line.split(separator: "   # exit code ", maxSplits: 1)
    for command in parts[0].split(separator: " && ").map(String.init) {
      if command.hasPrefix("cat ") {
        steps.append(Step(action: .show, name: String(command.dropFirst(4))))
      } else {
        steps.append(Step(action: .run(try CaseCommand(command)), name: command))
      }
    }
    if parts.count == 2 { steps[steps.count - 1].status = Int32(parts[1]) ?? -1 }
  }
}

extension DocumentExamples.Step {
  /// Compares the lines that the document shows with those that are printed; empty lines do not count.
  ///
  /// - Parameter text: The output.
  /// - Returns: The first line that differs: one that is not printed at its place, or one that is printed and left out
  ///   without `…`. `nil` when it is right, or when the document shows nothing.
  func difference(from text: String) -> String? {
    guard !printed.isEmpty else { return nil }
    var rest = text.split(separator: "\n").map(String.init)[...]
    var mayJump = false
    for line in printed {
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

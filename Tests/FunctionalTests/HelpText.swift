import SubreportTestSupport

/// What stands in a `--help`.
struct HelpText: Sendable {
  /// The subcommands, in order.
  let subcommands: [String]
  /// The long options, with the heading above each, in order.
  let options: [(name: String, heading: String)]
  /// The calls that it shows as examples.
  let examples: [String]

  init(_ text: String) {
    var (heading, names, options) = ("", [String](), [(name: String, heading: String)]())
    let lines = text.split(separator: "\n")
    for line in lines {
      if !line.hasPrefix(" ") {
        heading = line.hasSuffix(":") ? String(line.dropLast()) : ""
      } else if line.hasPrefix("  -") {
        let words = line.split { " ,=".contains($0) }
        if let name = words.first(where: { $0.hasPrefix("--") }) {
          options.append((String(name), heading))
        }
      } else if heading.hasSuffix("SUBCOMMANDS"), let word = line.split(separator: " ").first {
        // Names stand two spaces in; what continues a description, much further.
        let isName = line.dropFirst(2).first != " " && word.first?.isLowercase == true
        if isName { names.append(String(word)) }
      }
    }
    subcommands = names
    self.options = options
    examples = lines.filter { $0.hasPrefix("  subreport ") }.map { String($0.dropFirst(2)) }
  }

  private static let helps = Memo<[String], HelpText>()

  /// Returns the help of a command; several tests ask for the same one.
  static func of(_ command: String...) throws -> HelpText {
    try helps.value(command) {
      let result = try Program.run(command + ["--help"], in: Sandbox())
      return HelpText(result.output)
    }
  }
}

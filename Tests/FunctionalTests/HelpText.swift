/// The names in a `--help`.
struct HelpText {
  /// The subcommands, in order.
  let subcommands: [String]

  init(_ text: String) {
    var (isList, names) = (false, [String]())
    for line in text.split(separator: "\n") {
      if !line.hasPrefix(" ") {
        isList = line.hasSuffix("SUBCOMMANDS:")
      } else if isList, line.hasPrefix("  "), let word = line.split(separator: " ").first {
        // Names stand two spaces in; what continues a description, much further.
        let isName = line.dropFirst(2).first != " " && word.first?.isLowercase == true
        if isName { names.append(String(word)) }
      }
    }
    subcommands = names
  }
}

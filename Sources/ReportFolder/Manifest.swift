import Rendering

/// The inputs and outputs of a folder, `manifest.json`.
///
/// It has no time of day and no machine name: the same inputs give the same bytes.
struct Manifest {
  /// The version of definitions, raised whenever the meaning of a number changes.
  static let definitionVersion = 3

  let version: String
  let options: [(name: String, value: String)]
  let inputs: [(path: String, sha256: String)]
  let outputs: [(path: String, sha256: String)]

  var text: String {
    let optionLines = options.map {
      "    \(JSONText.quoted($0.name)): \(JSONText.quoted($0.value))"
    }
    var text = """
      {
        "tool": "subreport",
        "version": \(JSONText.quoted(version)),
        "definitions": \(Self.definitionVersion),
        "options": {
      """
    Self.append(optionLines, to: &text)
    text += "},\n  \"inputs\": ["
    Self.append(inputs.lazy.map(Self.line), to: &text)
    text += "],\n  \"outputs\": ["
    Self.append(outputs.lazy.map(Self.line), to: &text)
    text += "]\n}\n"
    return text
  }

  private static func line(_ file: (path: String, sha256: String)) -> String {
    "    {\"path\": \(JSONText.quoted(file.path)), \"sha256\": \(JSONText.quoted(file.sha256))}"
  }

  private static func append(_ lines: some Sequence<String>, to text: inout String) {
    var separator = "\n"
    for line in lines {
      text += separator
      text += line
      separator = ",\n"
    }
    if separator != "\n" { text += "\n  " }
  }
}

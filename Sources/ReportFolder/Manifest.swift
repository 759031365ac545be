import Files
package import Pipeline
import Rendering

/// The content of `manifest.json`: how a folder was made, from which inputs, and its files.
///
/// It has no time of day and no machine name: the same inputs give the same bytes.
package struct Manifest: Equatable, Sendable {
  /// The version of definitions, raised whenever the meaning of a number changes.
  package static let definitionVersion = 5

  /// The version of the files and columns, raised whenever a program that reads them must change; docs/schema.md
  /// has the rules.
  package static let schemaVersion = 1

  /// A file and the SHA-256 of its bytes.
  package struct File: Hashable, Sendable {
    /// The path in the folder, or below the input argument.
    package var path: String
    /// Hexadecimal digits; blank for an input that could not be read.
    package var sha256: String

    package init(_ path: String, _ sha256: String) { (self.path, self.sha256) = (path, sha256) }
  }

  package var version: String
  package var definitions: Int
  /// ``schemaVersion`` of the program; 0 in folders of programs before it.
  package var schema: Int
  package var call: RecordedCall
  /// The part of the ledger that was read; `nil` without a ledger.
  package var ledger: Ledger.Part?
  package var inputs: [File]
  package var outputs: [File]

  package init(
    version: String, definitions: Int = definitionVersion, schema: Int = schemaVersion,
    call: RecordedCall, ledger: Ledger.Part? = nil, inputs: [File], outputs: [File]
  ) {
    (self.version, self.definitions, self.schema) = (version, definitions, schema)
    (self.call, self.ledger, self.inputs, self.outputs) = (call, ledger, inputs, outputs)
  }

  package static func inputs(_ result: RunResult) -> [File] {
    result.files.map { File($0.file.relativePath, $0.sha256) }
  }

  /// The bytes of `manifest.json`, as text.
  package var text: String {
    let config = call.config.map { "\n  \"config\": \(JSONText.quoted($0))," } ?? ""
    return """
      {
        "tool": "subreport",
        "version": \(JSONText.quoted(version)),
        "definitions": \(definitions),
        "schema": \(schema),
        "arguments": \(Self.list(call.arguments)),\(config)
        "options": {\(Self.lines(call.options.map(Self.member)))},
        "sections": {\(Self.lines(call.sections.map(Self.member)))},
        "option_files": [\(Self.lines(call.files.map(Self.line)))],\(ledger.map(Self.member) ?? "")
        "inputs": [\(Self.lines(inputs.lazy.map(Self.line)))],
        "outputs": [\(Self.lines(outputs.lazy.map(Self.line)))]
      }

      """
  }

  private static func member(_ ledger: Ledger.Part) -> String {
    let (path, sha256) = (JSONText.quoted(ledger.path), JSONText.quoted(ledger.sha256))
    return
      "\n  \"ledger\": {\"path\": \(path), \"length\": \(ledger.length), \"sha256\": \(sha256)},"
  }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map(JSONText.quoted).joined(separator: ", "))]"
  }

  private static func member(_ option: RecordedCall.Option) -> String {
    let value =
      switch option.value {
      case .text(let text): JSONText.quoted(text)
      case .list(let texts): list(texts)
      }
    return "\(JSONText.quoted(option.name)): \(value)"
  }

  private static func member(_ section: RecordedCall.Section) -> String {
    let entries = section.entries.map {
      "\(JSONText.quoted($0.key)): \(JSONText.quoted($0.text))"
    }
    return "\(JSONText.quoted(section.name)): {\(entries.joined(separator: ", "))}"
  }

  private static func line(_ file: RecordedCall.OptionFile) -> String {
    let names =
      "\"option\": \(JSONText.quoted(file.option)), \"path\": \(JSONText.quoted(file.path))"
    return "{\(names), \"sha256\": \(JSONText.quoted(file.sha256))}"
  }

  private static func line(_ file: File) -> String {
    "{\"path\": \(JSONText.quoted(file.path)), \"sha256\": \(JSONText.quoted(file.sha256))}"
  }

  /// Returns items on lines of their own; nothing without items.
  private static func lines(_ items: some Sequence<String>) -> String {
    var text = ""
    for item in items {
      text += text.isEmpty ? "\n    " : ",\n    "
      text += item
    }
    return text.isEmpty ? "" : text + "\n  "
  }
}

/// The command line and the settings of `report` that decide the bytes of its files.
package struct RecordedCall: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case text(String)
    case list([String])
  }

  /// An option that numbers depend on.
  package struct Option: Equatable, Sendable {
    /// The key in the config file, such as `as_of`.
    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  /// A section of the config file whose keys the user chooses, such as `groups`.
  package struct Section: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
      package var key: String
      package var text: String

      package init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }
    }

    package var name: String
    package var entries: [Entry]

    package init(_ name: String, _ entries: [Entry]) { (self.name, self.entries) = (name, entries) }
  }

  /// A file that an option names, such as exchange rates.
  package struct OptionFile: Hashable, Sendable {
    /// The key in the config file, such as `rates`.
    package var option: String
    /// The path as pages show it: of an absolute path only the last part.
    package var path: String
    package var sha256: String

    package init(_ option: String, _ path: String, _ sha256: String) {
      (self.option, self.path, self.sha256) = (option, path, sha256)
    }
  }

  /// The inputs as pages show them: of an absolute path only the last part.
  package var arguments: [String] = []
  /// The file of `--config`, as pages show it; `nil` without it.
  package var config: String?
  package var options: [Option] = []
  package var sections: [Section] = []
  package var files: [OptionFile] = []

  package init() {}
}

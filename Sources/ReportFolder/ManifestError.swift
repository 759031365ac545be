import Scanning

/// The reason why a `manifest.json` cannot be read.
package struct ManifestError: Error, Equatable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// What was found and what was expected.
  package var message: String

  init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  init(_ error: JSONReadError) {
    switch error {
    case .text(let error): self.init(line: error.line, message: error.message)
    // The bytes are in memory, so they can be read.
    case .file: self.init(line: 1, message: "found bytes that cannot be read")
    }
  }
}

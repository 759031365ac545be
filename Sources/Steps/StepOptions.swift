import AppStoreReports
import ReportCache
import Storage

/// The options of a run, as a plan carries them.
package struct StepOptions {
  /// A file that an option names, such as exchange rates.
  package struct File {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// An option that no manifest has, because no number depends on it.
  package struct Running {
    package var key: String
    package var texts: [String]

    package init(key: String, texts: [String]) {
      self.key = key
      self.texts = texts
    }
  }

  /// The options, as the program writes them into a manifest.
  package var text: [UInt8] = []
  package var files: [File] = []
  package var running: [Running] = []

  package init(text: [UInt8], files: [File], running: [Running]) {
    self.text = text
    self.files = files
    self.running = running.sorted { $0.key < $1.key }
  }

  package init(_ bytes: [UInt8]) throws(StepError) {
    var reader = ExtractReader(Registries())
    reader.open(bytes, bytes.indices)
    code(with: &reader)
    guard reader.close() else {
      throw StepError(.damaged, "found a plan whose options cannot be read")
    }
  }

  package var bytes: [UInt8] {
    var (copy, writer) = (self, ExtractWriter(Registries()))
    writer.begin()
    copy.code(with: &writer)
    return writer.bytes
  }

  private mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.run(&text)
    coder.list(&files, blank: File(path: "", bytes: [])) { file, coder in
      coder.text(&file.path)
      coder.run(&file.bytes)
    }
    coder.list(&running, blank: Running(key: "", texts: [])) { option, coder in
      coder.text(&option.key)
      coder.list(&option.texts, blank: "") { $1.text(&$0) }
    }
  }
}

import ArgumentParser
import Files
import Pages
import Rendering

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Say what a file is: kind, version, period, vendor, rows, columns missing or new.",
    discussion: discussion(
      "One row per file. Its contents say what it is, not its name.",
      HelpExample("What are these files?", "inspect reports"),
      HelpExample("As CSV, of one folder:", "inspect reports/sales -f csv")))

  @Argument(help: "Files, folders and zip archives; - is standard input.", completion: .file())
  var files: [String]

  @Option(.format) var format: String?
  @Option(.logFormat) var logFormat: String?

  func run() throws {
    let settings = try Settings(format: format, logFormat: logFormat)
    let console = try Console(settings)
    let (table, diagnostics) = Inspection.look(at: files)
    try console.data(try TablePage(title: "Files").bytes(of: table, settings.format()))
    for diagnostic in diagnostics { console.error(diagnostic.text, path: diagnostic.path) }
    try ExitReason.end(Set(diagnostics.map(\.reason)))
  }
}

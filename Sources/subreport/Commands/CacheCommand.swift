import ArgumentParser
import Pages
import Rendering
import ReportCache

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Look at or empty the folder of --cache.",
    discussion: discussion(
      """
      With --cache DIR a run stores the content of each report, each dump of receipts and each \
      finance file in DIR, under the SHA-256 of its bytes. The next run reads only new files, counts \
      only subscribers with a new row, and writes the same output as a run without a cache. The \
      folder contains subscriber ids, transaction ids and account tokens; its permissions let only \
      its owner read it. A folder of another user, or one that others can write to, is refused. Entries of \
      files that are gone stay until the cache is cleared.
      """,
      HelpExample("What is in the cache?", "cache status cache"),
      HelpExample("Begin anew:", "cache clear cache")),
    subcommands: [CacheStatus.self, CacheClear.self])
}

struct CacheStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say what is in a cache: entries, bytes, and entries that would be rebuilt.")

  @Argument(help: ArgumentHelp("The folder of --cache.", valueName: "dir"), completion: .directory)
  var folder: String

  @Option(.format) var format: String?
  @Option(.logFormat) var logFormat: LogFormat?

  func run() throws {
    let settings = try Settings(format: format, logFormat: logFormat?.rawValue)
    try withInputFailures {
      let table = try CacheContents.table(of: folder, version: Subreport.version)
      let page = TablePage(title: "Cache")
      try Console(settings).data(try page.bytes(of: table, settings.format()))
    }
  }
}

struct CacheClear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove all entries of a cache; the folder stays.")

  @Argument(help: ArgumentHelp("The folder of --cache.", valueName: "dir"), completion: .directory)
  var folder: String

  @Option(.logFormat) var logFormat: LogFormat?

  func run() throws {
    try withInputFailures {
      let count = try CacheContents.clear(folder)
      Console.standard.note("\(folder): removed \(counted(count, "extract"))")
    }
  }
}

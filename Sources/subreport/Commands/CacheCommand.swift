import ArgumentParser
import Pipeline
import ReportCache
import Rendering

/// `subreport cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Look at or empty the folder of --cache.",
    discussion: """
      With --cache DIR a run keeps in DIR what each report, each dump of receipts and each finance file says: \
      an extract a file, by the SHA-256 of its bytes, and what it has counted from Subscriber reports. The next \
      run reads only files that have no extract, counts only subscribers who have a new row, and its output is \
      the same as without. Extracts hold subscriber ids, transaction ids and account tokens as the files do, so \
      nobody but you may read the folder. A run believes what its cache says, so a folder of another user, or one \
      that others can write to, is refused. Entries of files that are gone stay until the cache is cleared.
      """,
    subcommands: [CacheStatus.self, CacheClear.self])
}

/// `subreport cache status`.
struct CacheStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say what is in a cache: entries, bytes, and entries that would be rebuilt.")

  @Argument(help: ArgumentHelp("The folder of --cache.", valueName: "dir"))
  var folder: String

  @Option(name: [.short, .long], help: "table, csv, tsv, md, json or jsonl.")
  var format: String?

  func run() throws {
    let settings = try Settings(format: format)
    try withInputFailures {
      let table = try CacheContents.table(of: folder, version: Subreport.version)
      try Console(settings).data(TableRenderer(try settings.format()).bytes(of: table))
    }
  }
}

/// `subreport cache clear`.
struct CacheClear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove all entries of a cache; the folder stays.")

  @Argument(help: ArgumentHelp("The folder of --cache.", valueName: "dir"))
  var folder: String

  func run() throws {
    try withInputFailures {
      let count = try CacheContents.clear(folder)
      Console.standard.note("\(folder): removed \(counted(count, "extract"))")
    }
  }
}

import ArgumentParser

/// The options for the use of the machine, and for messages during a run.
struct RunOptions: SettingOptions {
  @Option(help: ArgumentHelp("A config file instead of the usual ones.", valueName: "file"))
  var config: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Threads (default: cores). Each costs about 4 MiB.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Keep what files say in this folder, so that the next run reads only new ones.",
      discussion: "Memory: 32 bytes more for each row of a thread's largest file.", valueName: "dir"
    ))
  var cache: String?

  @Option(
    help: ArgumentHelp(
      "How much memory charges of Subscriber reports may take, such as 2G.",
      discussion:
        "What is more goes to a temporary file in TMPDIR, 32 bytes a row. Other inputs are not limited.",
      valueName: "limit"))
  var memory: String?

  @Flag(name: [.short, .long], help: "No notes on standard error, only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "More notes on standard error.")
  var verbose = false

  @Flag(help: "No progress bar.")
  var noProgress = false

  @Option(help: ArgumentHelp("auto, always or never.", valueName: "when"))
  var color: String?

  var configPath: String? { config }

  var own: [SettingKey: [String]] {
    .init(
      texts: [
        .jobs: jobs.map { String($0) }, .cache: cache, .memory: memory, .color: color,
        .progress: noProgress ? "false" : nil,
      ], switches: [.quiet: quiet, .verbose: verbose])
  }
}

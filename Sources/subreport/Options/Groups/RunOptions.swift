import ArgumentParser

/// The options for the use of the machine, and for messages during a run.
struct RunOptions: SettingOptions {
  @Option(.config) var config: String?
  @Option(.jobs) var jobs: Int?
  @Option(.cache) var cache: String?
  @Option(.memory) var memory: String?
  @Flag(.quiet) var quiet = false
  @Flag(.verbose) var verbose = false
  @Flag(.progress) var noProgress = false
  @Option(.color) var color: String?
}

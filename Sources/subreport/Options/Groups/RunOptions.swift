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
  @Option(.logFormat) var logFormat: String?
}

/// The options for how many faults in the inputs are tolerated, and up to which day there must be reports.
struct StrictnessOptions: SettingOptions {
  @Option(.through) var through: String?
  @Option(.maxRejects) var maxRejects: Int?
  @Flag(.strict) var strict = false
}

/// The option that makes numbers end a run with exit code 1.
struct ConditionOptions: SettingOptions {
  @Option(.failIf) var failIf: [String] = []
}

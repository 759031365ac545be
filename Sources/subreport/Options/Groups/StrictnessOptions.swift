import ArgumentParser

/// The options for how many faults in the inputs are tolerated.
struct StrictnessOptions: SettingOptions {
  @Option(help: ArgumentHelp("Put up with this many rejected rows (default: 0).", valueName: "n"))
  var maxRejects: Int?

  @Flag(help: "Write nothing when a file or row is bad or a day is missing.")
  var strict = false

  var own: [SettingKey: [String]] {
    .init(texts: [.maxRejects: maxRejects.map { String($0) }], switches: [.strict: strict])
  }
}

/// The option that makes numbers end a run with exit code 1.
struct ConditionOptions: SettingOptions {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with 1 when this holds in the last complete month, such as 'churn_rate>0.08'.",
      valueName: "condition"))
  var failIf: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.failIf: failIf]) }
}

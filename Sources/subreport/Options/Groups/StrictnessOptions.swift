import ArgumentParser

/// The options for how many faults in the inputs are tolerated.
struct StrictnessOptions: SettingOptions {
  @Option(.maxRejects) var maxRejects: Int?
  @Flag(.strict) var strict = false
}

/// The option that makes numbers end a run with exit code 1.
struct ConditionOptions: SettingOptions {
  @Option(.failIf) var failIf: [String] = []
}

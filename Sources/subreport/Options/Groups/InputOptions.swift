import ArgumentParser

/// The inputs to read.
struct InputOptions: SettingOptions {
  @Argument(
    help: ArgumentHelp(
      "Files and folders of reports, receipts and finance files; - is standard input.",
      discussion: "May be left out when the config file has inputs.", valueName: "input"))
  var inputs: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.inputs: inputs]) }
}

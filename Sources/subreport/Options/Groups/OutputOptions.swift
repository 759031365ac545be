import ArgumentParser

/// The options for how and where to print a table.
struct OutputOptions: SettingOptions {
  @Option(name: [.short, .long], help: "table, csv, tsv, md, json or jsonl.")
  var format: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("A file instead of standard output.", valueName: "path"))
  var output: String?

  var own: [SettingKey: [String]] { .init(texts: [.format: format, .output: output]) }
}

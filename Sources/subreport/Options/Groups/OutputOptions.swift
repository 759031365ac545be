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

/// The options for the output of `report`.
struct ReportOutputOptions: SettingOptions {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The folder to write; it is replaced as a whole.", valueName: "path"))
  var output: String?

  @Flag(help: "Replace an output folder that holds other files; they are removed.")
  var force = false

  @Flag(help: "Print the answer in a few lines on standard output, for a mail or a chat message.")
  var brief = false

  var own: [SettingKey: [String]] { .init(texts: [.output: output]) }
}

/// The option for a file with the changes since the last run.
struct ChangesOptions: SettingOptions {
  @Option(
    help: ArgumentHelp(
      "A file for what the last run said and this one says otherwise; needs --cache.",
      valueName: "file"))
  var changes: String?

  var own: [SettingKey: [String]] { .init(texts: [.changes: changes]) }
}

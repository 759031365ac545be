import ArgumentParser

/// The manual page `subreport.1`: the helps of all commands, and the variables of all settings.
///
/// ArgumentParser's plugin for manual pages would build the whole package a second time, with other
/// options, and would join the lines of examples; so this page is made of the same helps here.
enum ManualPage {
  static var text: String {
    let root = Subreport.configuration
    let commands = root.groupedSubcommands.flatMap(\.subcommands)
    let head = [
      ".TH SUBREPORT 1 \"\" \"subreport \(Subreport.version)\" \"User Commands\"", ".SH NAME",
      "subreport \\- \(escaped(root.abstract))", ".SH SYNOPSIS",
      ".B subreport", "COMMAND [OPTION...] [INPUT...]", ".SH DESCRIPTION",
      paragraphs(root.discussion), ".SH COMMANDS",
    ]
    let list = commands.map {
      item($0._commandName, escaped($0.configuration.abstract))
    }
    let helps = commands.map { command in
      """
      .SH SUBREPORT \(command._commandName.uppercased())
      \(verbatim(Subreport.helpMessage(for: command, columns: 72)))
      """
    }
    return (head + list + helps + tail).joined(separator: "\n") + "\n"
  }

  private static var tail: [String] {
    let variables = SettingKey.stored.map { item($0.variable, escaped($0.setting.meaning)) }
    return [".SH ENVIRONMENT", "Values of a list are separated by ;."] + variables + [
      ".SH FILES", item("subreport.toml", "The settings of the working directory."),
      item(
        "$XDG_CONFIG_HOME/subreport/subreport.toml",
        "The user's settings, which those of the working directory override."),
    ]
  }

  /// The manual page `subreport.toml.5`: the keys of all settings, under the headings of the helps, and the sections.
  static var ofSettings: String {
    let head = [
      ".TH SUBREPORT.TOML 5 \"\" \"subreport \(Subreport.version)\" \"File Formats\"", ".SH NAME",
      "subreport.toml \\- settings of subreport", ".SH DESCRIPTION",
      paragraphs(
        """
        The file has a key for each setting, in TOML. It is looked for in the working directory, then in \
        $XDG_CONFIG_HOME/subreport; --config FILE replaces both. The environment overrides it, and \
        options of the command line override the environment. An unknown key is an error.

        A list has brackets: by = ["country", "product"]. subreport config prints the settings in \
        force, and where each comes from.
        """),
    ]
    let sections = Setting.Heading.allCases.flatMap { heading in
      [".SH \(heading.rawValue.uppercased())"]
        + SettingKey.stored.filter { $0.setting.heading == heading }.map { key in
          let unset = key.setting.unset
          let text = "\(key.setting.meaning)\(unset.isEmpty ? "" : " Default: \(unset).")"
          return item(key.rawValue, escaped(text))
        }
    }
    let tables =
      [
        ".SH SECTIONS",
        "After the settings, a section has a key for each product, storefront, line or field; a key with dots has quotes.",
      ]
      + ConfigFile.Section.allCases.map {
        item("[\($0.rawValue)]", escaped("Keys are \($0.meaning)."))
      }
      + FetchSettingKey.allCases.map { item("[fetch] \($0.rawValue)", escaped("\($0.says).")) }
    let tail = [
      ".SH FILES", item("/etc/subreport/subreport.toml", "The settings of the nightly job."),
      ".SH SEE ALSO", ".BR subreport (1)",
    ]
    return (head + sections + tables + tail).joined(separator: "\n") + "\n"
  }

  private static func item(_ name: String, _ text: String) -> String {
    ".TP\n.B \(escaped(name))\n\(text)"
  }

  /// Returns text with paragraphs; lines stay as they are in those that have several.
  private static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { part in
      ".PP\n" + (part.contains("\n") ? verbatim(String(part)) : escaped(String(part)))
    }.joined(separator: "\n")
  }

  /// Returns text whose lines stay as they are.
  private static func verbatim(_ text: String) -> String { ".nf\n\(escaped(text))\n.fi" }

  /// Returns text in which roff finds no markup: no backslash, no hyphen, no dot that begins a line.
  private static func escaped(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let marked = line.first == "." || line.first == "'" ? "\\&" : ""
      return marked + line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
    return lines.joined(separator: "\n")
  }
}

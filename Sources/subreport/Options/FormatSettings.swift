import ArgumentParser
import Pages
import Rendering

extension Settings {
  /// Returns the format of the setting; `nil` without one.
  ///
  /// - Throws: `UsageError` for an unknown format.
  func statedFormat() throws(UsageError) -> OutputFormat? {
    guard let text = text(.format) else { return nil }
    let format: OutputFormat = try value("format", text, .format)
    return format
  }

  /// Returns the format to print in: the setting's, the one of the output's name, or the default.
  ///
  /// By default, a terminal gets a table and anything else CSV. An output in the config file is the nightly job's
  /// folder, so its name does not count.
  ///
  /// - Parameter hasFigure: Whether the table has a figure.
  /// - Returns: The format.
  /// - Throws: `UsageError` for an unknown format, a file name ending that subreport cannot write, or `svg` for a
  ///   table without a figure.
  func format(hasFigure: Bool = false) throws(UsageError) -> OutputFormat {
    let format = try formatOfAnyTable()
    guard format != .svg || hasFigure else {
      throw UsageError(
        "the format svg is a figure, and this table has none; tables with a figure: \(TableFigures.commands.joined(separator: ", "))"
      )
    }
    return format
  }

  private func formatOfAnyTable() throws(UsageError) -> OutputFormat {
    let stated = try statedFormat()
    guard isOnCommandLine(.output), let path = text(.output) else {
      return stated ?? (Terminal.isThere ? .table : .csv)
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, !ending.isEmpty else { return stated ?? .csv }
    guard let format = stated ?? OutputFormat(fileExtension: String(ending)),
      !Self.isBinary(ending)
    else { throw Self.notMade(path, ending) }
    return format
  }

  /// A note that the name of `-o` has the ending of another format than the one that is set; `nil` otherwise.
  var noteOfOtherEnding: String? {
    guard isOnCommandLine(.output), let path = text(.output), let stated = try? statedFormat(),
      let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last,
      let named = OutputFormat(fileExtension: String(ending)), named != .table, named != stated
    else { return nil }
    return
      "note: \(path) has the format \(stated.rawValue), as \(origin(.format)) says, and not .\(ending)"
  }

  /// Returns whether files with this ending are not text.
  private static func isBinary(_ ending: Substring) -> Bool {
    ["xlsx", "xls", "ods", "parquet", "sqlite", "db", "pdf", "gz", "zip"]
      .contains(ending.lowercased())
  }

  private static func notMade(_ path: String, _ ending: Substring) -> UsageError {
    let choice = "end the name in .csv, .tsv, .md, .json, .jsonl, .html, .svg or .txt"
    return UsageError(
      isBinary(ending)
        ? "-o \(path): subreport makes no .\(ending); \(choice)"
        : "-o \(path): .\(ending) is no format; \(choice), or name one with -f")
  }

  /// Returns what prints tables in a format, in colour if it is wanted on standard output.
  func renderer(_ format: OutputFormat) throws(UsageError) -> TableRenderer {
    TableRenderer(format, isColored: try isColored())
  }

  /// Returns whether to colour standard output, or the file of `-o`: only if it is always wanted.
  func isColored(in path: String? = nil) throws(UsageError) -> Bool {
    switch text(.color) ?? SettingKey.color.setting.unset {
    case "always": return true
    case "never": return false
    case "auto":
      return path == nil && Terminal.isThere && Settings.environment("NO_COLOR") == nil
    case let other: throw unknown("color", other, .color)
    }
  }
}

extension OutputFormat {
  /// The thing that a format with room for one view is, and the format to use for several; `nil` for other formats.
  var ofOneView: (what: String, other: String)? {
    switch self {
    case .json: ("array", "jsonl")
    case .svg: ("figure", "html")
    case .table, .csv, .tsv, .md, .jsonl, .html: nil
    }
  }
}

/// Options that are short for a format: `--json` for `-f json`.
enum FormatShorthand {
  /// The options: `--csv`, `--json` and one for each other format.
  static let names = OutputFormat.allCases.map { "--" + $0.rawValue }

  /// Returns the option that a short one stands for: `--format` for `--json`; `nil` for any other.
  static func option(for name: String) -> String? { names.contains(name) ? "--format" : nil }

  /// Returns the words of a command line with each short option in full: `--format=json` for `--json`.
  ///
  /// Words after `--` are files; an option before the command is refused. A command without `--format` keeps its words.
  ///
  /// - Parameter words: The words after the program's name.
  /// - Returns: The words in their order.
  static func expanded(_ words: [String]) -> [String] {
    let start = words.firstIndex { !$0.hasPrefix("-") } ?? words.endIndex
    let command = start < words.endIndex ? words[start] : nil
    let printing = Set(CommandName.printing.map(\.rawValue) + ["history", "inspect", "metrics"])
    guard let command, printing.subtracting(["config"]).contains(command) else { return words }
    let end = max(start, words.firstIndex(of: "--") ?? words.endIndex)
    return words.indices.map { place in
      let word = words[place]
      guard (start..<end).contains(place), names.contains(word) else { return word }
      return "--format=" + word.dropFirst(2)
    }
  }
}

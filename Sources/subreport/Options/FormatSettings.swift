import ArgumentParser
import Pages
import Rendering
import ReportFolder

extension Settings {
  /// Returns the format of the setting; `nil` without one.
  func statedFormat() throws(UsageError) -> OutputFormat? {
    guard let text = text(.format) else { return nil }
    return try value("format", text, .format) as OutputFormat
  }

  /// Returns the format to print in: the setting's, the one of the output's name, or the default.
  ///
  /// By default, a terminal gets a table and anything else CSV. An output in the config file is the nightly job's
  /// folder, so its name does not count. Refuses endings that subreport cannot write, `svg` for a table without a
  /// figure, a database on a terminal, and marks of CSV for another format; ends the command where the library for a
  /// format is missing.
  func format(hasFigure: Bool = false) throws -> OutputFormat {
    let format = try formatOfAnyTable()
    if let key = [SettingKey.delimiter, .decimal].first(where: isOnCommandLine), format != .csv {
      throw UsageError(
        "\(key.optionName) is for CSV, and the format is \(format.rawValue); use -f csv")
    }
    if format.isBinary { try refuseBinary(format) }
    guard format != .svg || hasFigure else {
      throw UsageError(
        "the format svg is a figure, and this table has none; tables with a figure: \(TableFigures.commands.joined(separator: ", "))"
      )
    }
    return format
  }

  /// Refuses a file that is no text on a terminal, and a database that another program writes to.
  private func refuseBinary(_ format: OutputFormat) throws {
    if isOnCommandLine(.output), let path = text(.output) {
      if format == .sqlite { try ExportFile.refuseOpenDatabase(path, "-o") }
      try ExportFile.refuseOther(
        path, unless: format == .sqlite ? .database : .workbook, canForce: false)
    } else if Terminal.isThere {
      throw UsageError(
        "the format \(format.rawValue) is no text for a terminal; name a file, such as -o subreport.\(format.rawValue)"
      )
    }
    try ExportFile.requireLibrary(format)
  }

  /// Returns the marks of CSV; refuses those that can stand in a number or a quoted text, or that are the same.
  func marks() throws(UsageError) -> CSVMarks {
    let usual = CSVMarks.usual
    let decimal = try mark(.decimal) ?? usual.decimal
    let delimiter = try mark(.delimiter) ?? usual.delimiter
    guard decimal != delimiter else {
      let key = text(.decimal) == nil ? SettingKey.delimiter : .decimal
      throw UsageError(
        "\(origin(key)) \(text(key) ?? ""): cells and decimals need two marks; such as --delimiter ';' --decimal ','"
      )
    }
    return CSVMarks(delimiter: delimiter, decimal: decimal)
  }

  private func mark(_ key: SettingKey) throws(UsageError) -> UInt8? {
    guard let text = text(key) else { return nil }
    let word = key == .delimiter && text == "tab" ? "\t" : text
    let byte = word.utf8.count == 1 ? word.utf8.first : nil
    let points = [UInt8(ascii: "."), UInt8(ascii: ",")]
    let isUsable =
      key == .decimal ? byte.map(points.contains) == true : byte.map(CSVMarks.canDelimit) == true
    guard let byte, isUsable else {
      let choice =
        key == .decimal
        ? "use . or ,"
        : "use one ASCII character that no number has: no letter, digit, sign or quote; such as ';' or tab"
      throw UsageError("\(origin(key)) \(text): \(choice)")
    }
    return byte
  }

  private func formatOfAnyTable() throws(UsageError) -> OutputFormat {
    let stated = try statedFormat()
    guard isOnCommandLine(.output), let path = text(.output) else {
      return stated ?? (Terminal.isThere ? .table : .csv)
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, !ending.isEmpty else { return stated ?? .csv }
    let named = OutputFormat(fileExtension: String(ending))
    guard let format = stated ?? named, !Self.isBinary(ending) || format == named else {
      throw named?.isBinary == true && stated != nil
        ? UsageError(
          "-o \(path): .\(ending) is no name for the format \(stated?.rawValue ?? ""); leave out -f, or end the name in another way"
        ) : Self.notMade(path, ending)
    }
    return format
  }

  /// A note that the name of `-o` has the ending of another format than the one that is set; `nil` otherwise.
  var noteOfOtherEnding: String? {
    guard isOnCommandLine(.output), let path = text(.output), let stated = try? statedFormat(),
      let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last,
      let named = OutputFormat(fileExtension: String(ending)), named != .table, named != stated,
      !Self.isBinary(ending)
    else { return nil }
    return
      "note: \(path) has the format \(stated.rawValue), as \(origin(.format)) says, and not .\(ending)"
  }

  /// Returns whether files with this ending are not text.
  private static func isBinary(_ ending: Substring) -> Bool {
    ["xls", "ods", "parquet", "pdf", "gz", "zip"].contains(ending.lowercased())
      || OutputFormat(fileExtension: String(ending))?.isBinary == true
  }

  private static func notMade(_ path: String, _ ending: Substring) -> UsageError {
    let choice =
      "end the name in .csv, .tsv, .md, .json, .jsonl, .html, .svg, .sqlite, .xlsx or .txt"
    return UsageError(
      isBinary(ending)
        ? "-o \(path): subreport makes no .\(ending); \(choice)"
        : "-o \(path): .\(ending) is no format; \(choice), or name one with -f")
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
    case .table, .csv, .tsv, .md, .jsonl, .html, .sqlite, .xlsx: nil
    }
  }
}

/// Options that are short for a format: `--json` for `-f json`.
enum FormatShorthand {
  /// The options: `--csv`, `--json` and one for each other format of text; `--sqlite` is an option of `report`.
  static let names = OutputFormat.allCases.filter { !$0.isBinary }.map { "--" + $0.rawValue }

  /// Returns the option that a short one stands for: `--format` for `--json`; `nil` for any other.
  static func option(for name: String) -> String? { names.contains(name) ? "--format" : nil }

  /// Returns the words of a command line with each short option in full: `--format=json` for `--json`.
  ///
  /// Words after `--` are files; an option before the command is refused. A command without `--format` keeps its words.
  static func expanded(_ words: [String]) -> [String] {
    let start = words.firstIndex { !$0.hasPrefix("-") } ?? words.endIndex
    let command = start < words.endIndex ? words[start] : nil
    let printing = Set(
      CommandName.printing.map(\.rawValue) + ["digest", "history", "inspect", "metrics"])
    guard let command, printing.subtracting(["config"]).contains(command) else { return words }
    let end = max(start, words.firstIndex(of: "--") ?? words.endIndex)
    return words.indices.map { place in
      let word = words[place]
      guard (start..<end).contains(place), names.contains(word) else { return word }
      return "--format=" + word.dropFirst(2)
    }
  }
}

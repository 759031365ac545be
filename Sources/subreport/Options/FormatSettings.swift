import ArgumentParser
import Glibc
import Pipeline
import Rendering

extension Settings {
  /// The format that somebody asks for by name.
  ///
  /// - Throws: `UsageError` for one that is not made.
  func statedFormat() throws(UsageError) -> OutputFormat? {
    guard let text = text(.format) else { return nil }
    guard let format = OutputFormat(rawValue: text) else {
      throw unknown("format", text, .format, among: OutputFormat.allCases.map(\.rawValue))
    }
    return format
  }

  /// The format to print in: asked for, said by the output's name, or what suits standard output.
  ///
  /// An output in the config file is the nightly job's folder, so its name says nothing.
  ///
  /// - Throws: `UsageError` for a format, or an ending of the output's name, that is not made.
  func format() throws(UsageError) -> OutputFormat {
    let stated = try statedFormat()
    guard isOnCommandLine(.output), let path = text(.output) else {
      return stated ?? (isatty(1) == 1 ? .table : .csv)
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, !ending.isEmpty else { return stated ?? .csv }
    guard let format = stated ?? OutputFormat(fileExtension: String(ending)),
      !Self.isBinary(ending)
    else { throw Self.notMade(path, ending) }
    return format
  }

  /// Whether no program reads text from a file of that name.
  private static func isBinary(_ ending: Substring) -> Bool {
    ["xlsx", "xls", "ods", "parquet", "sqlite", "db", "pdf", "gz", "zip"]
      .contains(ending.lowercased())
  }

  private static func notMade(_ path: String, _ ending: Substring) -> UsageError {
    let choice = "end the name in .csv, .tsv, .md, .json, .jsonl or .txt"
    return UsageError(
      isBinary(ending)
        ? "-o \(path): subreport makes no .\(ending); \(choice)"
        : "-o \(path): .\(ending) is no format; \(choice), or name one with -f")
  }

  /// Whether to colour what goes to a stream.
  func isColored(descriptor: Int32) throws(UsageError) -> Bool {
    switch text(.color) ?? "auto" {
    case "always": return true
    case "never": return false
    case "auto": return isatty(descriptor) == 1 && Settings.environment("NO_COLOR") == nil
    case let other: throw unknown("color", other, .color, among: ["auto", "always", "never"])
    }
  }
}

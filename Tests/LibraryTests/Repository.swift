import Foundation

/// The files of the repository.
enum Repository {
  /// The path of the repository's root, without a slash at its end.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// The path of the folder with the files that examples read.
  static let files = root + "/Tests/LibraryTests/Files"
  static let sample = root + "/sample-reports"

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  /// Returns the paths of all files in a folder with one of the endings, relative to the root.
  static func paths(in folder: String, ending endings: String...) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
      .filter { path in endings.contains { path.hasSuffix($0) } }
      .map { folder + "/" + $0 }.sorted()
  }
}

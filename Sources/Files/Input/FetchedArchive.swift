import Storage

/// A folder of reports that `fetch` keeps: FETCH.md, *The archive*.
package struct FetchedArchive: Sendable {
  /// The hidden folder of an archive, which holds nothing to read but its days.
  package static let hiddenName = ".subreport"
  /// The text of the file that marks an archive.
  package static let mark = "subreport archive 1\n"

  /// The path below the input argument; blank for the input itself.
  package let relativePath: String
  /// The bytes of `days.csv`, the state of each day of each report; `nil` if it cannot be read.
  package let days: [UInt8]?

  init(_ folder: String, belowInput relativePath: String) {
    self.relativePath = relativePath
    days = OutputFileSystem.contents(of: "\(folder)/\(Self.hiddenName)/days.csv")
  }

  /// Returns whether a folder is an archive.
  package static func isMarked(_ folder: String) -> Bool {
    OutputFileSystem.contents(of: "\(folder)/\(hiddenName)/archive")?.starts(with: mark.utf8)
      == true
  }

  /// Returns whether a name in an archive is that of its hidden folder.
  static func isHidden(_ name: String) -> Bool { name.isSame(as: hiddenName) }
}

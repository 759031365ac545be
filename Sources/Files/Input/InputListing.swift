import Storage

/// Finds the files of a run, in path order: METRICS.md section 8.
package enum InputListing {
  /// Lists files, the files in folders and the members of zip archives, all sorted together by the bytes of their
  /// relative paths.
  ///
  /// Where these are equal, the order of the inputs decides, and ``InputNames`` makes the paths longer. Standard
  /// input, `-`, is kept in an unnamed temporary file. The output folder and another one are not entered. There is an
  /// error for each input or folder that cannot be read.
  package static func list(
    _ inputs: [String], excluding excludedFolder: String? = nil, and otherFolder: String? = nil
  ) -> (files: [InputFile], errors: [InputError], archives: [FetchedArchive]) {
    // Exclude the output itself, its lock and its staging folder.
    var walker = FolderWalker()
    if let excludedFolder { walker.exclude(output: excludedFolder) }
    if let otherFolder { walker.exclude(otherFolder) }
    for input in inputs { walker.add(input) }
    let ordered = walker.files.enumerated().sorted { left, right in
      if left.element.relativePath.isSame(as: right.element.relativePath) {
        return left.offset < right.offset
      }
      return left.element.relativePath.precedes(right.element.relativePath)
    }
    let named = InputNames.unambiguous(ordered.map(\.element))
    return (InputFolders.alike(named), walker.errors, walker.archives)
  }
}

extension InputListing {
  /// Returns whether a folder is the only input, so that a report written there would replace its own input.
  ///
  /// Among other inputs it may be one: `report * -o out` names `out` too from the second time on.
  package static func isOnlyInput(_ folder: String, _ inputs: [String]) -> Bool {
    guard let path = OutputFileSystem.resolved(folder), !inputs.isEmpty else { return false }
    return inputs.allSatisfy { OutputFileSystem.resolved($0) == path }
  }

  /// Returns an input that writing an output would destroy; `nil` when there is none.
  ///
  /// That is an input that is the output file itself, or that lies inside the output folder.
  package static func inputDestroyed(
    by output: String, isFolder: Bool, inputs: [String]
  ) -> String? {
    if isFolder {
      guard let folder = OutputFileSystem.resolved(output) else { return nil }
      return inputs.first { input in
        guard input != "-", let path = OutputFileSystem.resolved(input) else { return false }
        return path != folder && path.utf8.starts(with: (folder + "/").utf8)
      }
    }
    guard let identity = FileStatus(of: output)?.identity else { return nil }
    var walker = FolderWalker(opensArchives: false)
    for input in inputs where input != "-" && FileStatus(of: input)?.kind != .other {
      walker.add(input)
    }
    return walker.files.first { $0.status?.identity == identity }?.shownPath
  }
}

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

  package static func isMarked(_ folder: String) -> Bool {
    OutputFileSystem.contents(of: "\(folder)/\(hiddenName)/archive")?.starts(with: mark.utf8)
      == true
  }

  static func isHidden(_ name: String) -> Bool { name.isSame(as: hiddenName) }
}

import Storage

/// Names files so that no two have the same name: `jan/x.txt.gz` and `feb/x.txt.gz` if two inputs have an `x.txt.gz`.
package enum InputNames {
  /// Gives files of the same relative path longer names.
  ///
  /// Each gets the shortest ending of its path that tells it from the others; a group has the same number of folders
  /// more. Files without a namesake keep their relative path.
  ///
  /// - Parameter files: The files in path order, so that equal paths are neighbours.
  /// - Returns: The files in the same order.
  static func unambiguous(_ files: [InputFile]) -> [InputFile] {
    guard
      zip(files, files.dropFirst()).contains(where: { $0.relativePath.isSame(as: $1.relativePath) })
    else { return files }
    var named = files
    var taken = Set<ExactText>(of: files.map(\.relativePath))
    var start = 0
    while start < files.count {
      let path = files[start].relativePath
      let end = files[start...].firstIndex { !$0.relativePath.isSame(as: path) } ?? files.count
      // A file that is named twice is still one file.
      if Set<ExactText>(of: files[start..<end].map(\.shownPath)).count > 1 {
        taken.remove(ExactText(path))
        let names = names(of: files[start..<end], taken)
        for (place, name) in zip(start..<end, names) { named[place] = files[place].named(name) }
        taken.formUnion(names.map(ExactText.init(_:)))
      }
      start = end
    }
    return named
  }

  /// Returns the names of files of one relative path.
  private static func names(of files: ArraySlice<InputFile>, _ taken: Set<ExactText>) -> [String] {
    let paths = files.map(\.shownPath)
    let parts = paths.map { $0.split(separator: "/") }
    let own = files.first?.relativePath.split(separator: "/").count ?? 1
    let longest = parts.map(\.count).max() ?? own
    for count in (own + 1)..<max(own + 1, longest) {
      let names = zip(paths, parts).map { path, parts in
        parts.count <= count ? path : parts.suffix(count).joined(separator: "/")
      }
      if Set<ExactText>(of: names).count == Set<ExactText>(of: paths).count,
        taken.isDisjoint(with: names.map(ExactText.init(_:)))
      {
        return names
      }
    }
    // A file of another input may have the whole path as its path below that input.
    var names = paths
    while !taken.isDisjoint(with: names.map(ExactText.init(_:))) { names = names.map { "./" + $0 } }
    return names
  }

  /// Returns the files that a text names.
  ///
  /// The first of these that fits a file decides: the name in lists, the path that the user wrote, the end of a name.
  ///
  /// - Parameters:
  ///   - text: The text, such as `x.txt.gz`.
  ///   - files: The files, each with its place.
  /// - Returns: The places of the files that it fits, each file once.
  package static func places(of text: String, in files: [(place: Int, file: InputFile)]) -> [Int] {
    let rules: [(InputFile) -> Bool] = [
      { $0.relativePath.isSame(as: text) },
      { $0.shownPath.isSame(as: text) || $0.path.isSame(as: text) },
      { $0.relativePath.utf8.suffix(text.utf8.count + 1).elementsEqual(("/" + text).utf8) },
    ]
    for rule in rules {
      var paths: Set<ExactText> = []
      let found = files.filter { rule($0.file) && paths.insert($0.file.path) }
      if !found.isEmpty { return found.map(\.place) }
    }
    return []
  }
}

extension InputFile {
  /// Returns the file under another name.
  fileprivate func named(_ name: String) -> InputFile {
    InputFile(
      path: path, shownPath: shownPath, relativePath: name, pathBelowInput: pathBelowInput,
      commonPath: commonPath, isNamed: isNamed, status: status)
  }
}

import Storage

/// Names files so that no two have the same name: `jan/x.txt.gz` and `feb/x.txt.gz` if two inputs have an `x.txt.gz`.
package enum InputNames {
  /// Gives files of the same relative path, which are neighbours, longer names; the order stays.
  ///
  /// Each gets the shortest ending of its path that tells it from the others; a group has the same number of folders
  /// more. Files without a namesake keep their relative path.
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

  /// Returns the places of the files that a text such as `x.txt.gz` names, each file once.
  ///
  /// The first of these that fits a file decides: the name in lists, the path that the user wrote, the end of a name.
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

/// Makes folders comparable that the user gave by relative and by absolute paths.
///
/// Nothing here looks at the disk, and inputs of one sort only are as the user wrote them: the same on every machine.
enum InputFolders {
  /// Returns the parts of a path without `.` and without folders that `..` leaves again; `/` is the first of an
  /// absolute path.
  static func parts(_ path: String) -> [Substring] {
    var parts: [Substring] = path.utf8.first == UInt8(ascii: "/") ? ["/"] : []
    for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
      let part = Substring(bytes)
      if part == "." { continue }
      let leaves = part == ".." && parts.last.map { $0 != ".." && $0 != "/" } ?? false
      if leaves { parts.removeLast() } else { parts.append(part) }
    }
    return parts
  }

  /// Gives files of absolute and of relative paths, if there are both, their paths below one folder, in the same order:
  /// the working directory, or the one above it to which `..` leads.
  static func alike(_ files: [InputFile]) -> [InputFile] {
    let areAbsolute = files.map { $0.shownPath.utf8.first == UInt8(ascii: "/") }
    guard areAbsolute.contains(true), areAbsolute.contains(false),
      let here = OutputFileSystem.resolved(".")
    else { return files }
    let steps = zip(files, areAbsolute).lazy.filter { !$1 }
      .map { file, _ in parts(file.shownPath).prefix { $0 == ".." }.count }
    let base = parts(here).dropLast(steps.max() ?? 0)
    return zip(files, areAbsolute).map { file, isAbsolute in
      let whole = parts(isAbsolute ? file.shownPath : here + "/" + file.shownPath)
      guard whole.starts(with: base, by: { $0.utf8.elementsEqual($1.utf8) }) else { return file }
      return file.at(pathBelow: whole.dropFirst(base.count).joined(separator: "/"))
    }
  }
}

extension InputFile {
  /// The parts of its folder's path, for telling folders apart.
  package var folder: [Substring] {
    InputFolders.parts(commonPath.isEmpty ? shownPath : commonPath).dropLast()
  }

  fileprivate func at(pathBelow commonPath: String) -> InputFile {
    InputFile(
      path: path, shownPath: shownPath, relativePath: relativePath, pathBelowInput: pathBelowInput,
      commonPath: commonPath, isNamed: isNamed, status: status)
  }
}

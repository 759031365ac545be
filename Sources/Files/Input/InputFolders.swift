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

  /// Gives files of absolute and of relative paths, if there are both, their paths below one folder: the working
  /// directory, or the one above it to which `..` leads.
  ///
  /// - Parameter files: The files of a run.
  /// - Returns: The files in the same order.
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

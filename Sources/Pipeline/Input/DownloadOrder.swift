import AppStoreReports
package import Files
import Storage

/// The order in which versions of one report were downloaded, found from their paths: METRICS.md section 8.
///
/// By the bytes of the path without copy marks, then by the marks' numbers, then by bytes. The names of archives count
/// as those of files: the second download of a zip is the newer one, too.
package struct DownloadOrder {
  /// Why one of two files is the later one.
  package enum Reason: String, Equatable, Sendable {
    /// It has the same path but for a mark with a higher number.
    case secondDownload = "second download"
    /// Its path comes later.
    case pathOrder = "path order"
  }

  /// What decides the order of a file.
  private struct Key {
    /// The path without marks.
    var original = ""
    /// The number of the mark of each archive and of the file; 0 without one.
    var numbers: [Int] = []
    var path = ""
  }

  /// The paths of all files and archives, as the user wrote them.
  private let paths: Set<ExactText>

  /// Creates the order of all files of the run: `X-2.txt` is a copy only beside `X.txt`.
  package init(_ files: [InputFile]) {
    var paths: Set<ExactText> = []
    for file in files {
      paths.insert(file.shownPath)
      let parts = Self.parts(of: file.shownPath)
      for index in parts.indices.dropLast() where Self.isArchive(parts[index]) {
        paths.insert(parts[...index].joined(separator: "/"))
      }
    }
    self.paths = paths
  }

  /// Returns whether a file was downloaded before another one.
  package func precedes(_ file: InputFile, _ other: InputFile) -> Bool {
    precedes(key(of: file), key(of: other))
  }

  /// Returns items in the order of their files, the last downloaded one at the end.
  package func sorted<Item>(_ items: [Item], by file: (Item) -> InputFile) -> [Item] {
    items.enumerated().map { (place: $0, item: $1, key: key(of: file($1))) }
      .sorted { left, right in
        if precedes(left.key, right.key) { return true }
        return !precedes(right.key, left.key) && left.place < right.place
      }.map(\.item)
  }

  /// Returns why a file counts in place of one that precedes it.
  package func reason(for file: InputFile, over other: InputFile) -> Reason {
    let (key, other) = (key(of: file), key(of: other))
    let isSecond = key.original == other.original && key.numbers != other.numbers
    return isSecond && key.numbers.contains { $0 > 0 } ? .secondDownload : .pathOrder
  }

  private func precedes(_ left: Key, _ right: Key) -> Bool {
    if left.original != right.original { return left.original.precedes(right.original) }
    if left.numbers != right.numbers {
      return left.numbers.lexicographicallyPrecedes(right.numbers)
    }
    return left.path.precedes(right.path)
  }

  private func key(of file: InputFile) -> Key {
    var parts = Self.parts(of: file.pathBelowInput)
    let shown = Self.parts(of: file.shownPath)
    var numbers: [Int] = []
    for index in parts.indices where index == parts.count - 1 || Self.isArchive(parts[index]) {
      let folder = shown.prefix(max(0, shown.count - (parts.count - index)))
      guard let mark = CopyMark(in: String(parts[index])),
        mark.isCertain
          || paths.contains((folder + [Substring(mark.original)]).joined(separator: "/"))
      else {
        numbers.append(0)
        continue
      }
      parts[index] = Substring(mark.original)
      numbers.append(mark.number)
    }
    return Key(original: parts.joined(separator: "/"), numbers: numbers, path: file.pathBelowInput)
  }

  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func isArchive(_ name: Substring) -> Bool { name.lowercased().hasSuffix(".zip") }
}

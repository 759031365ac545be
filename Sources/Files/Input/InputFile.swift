import Scanning
import Storage
import SystemPackage

/// A file to read, and its path as reports show it.
///
/// A member of a zip archive is a file, too: its ``path`` is that of a `ZipMember`.
///
/// A class, so that the several lists of a run's files share each instance.
package final class InputFile: Sendable {
  package let path: String
  /// The path as messages show it: the argument and the path below it.
  package let shownPath: String
  /// The path below the input argument, with `/`: the same on every machine, and the name of the file in all outputs.
  ///
  /// For a file named as an argument, the last component of its path. If two inputs have the same, ``InputNames``
  /// puts folders before it.
  package let relativePath: String
  /// The path below the input argument, also where ``relativePath`` was made longer.
  package let pathBelowInput: String
  /// The path below a folder that the inputs of absolute and of relative paths have in common, if there are both; else
  /// blank.
  package let commonPath: String
  /// Whether the user named the file itself rather than a folder that holds it.
  package let isNamed: Bool
  /// The file's status when it was listed, before reading, of a member that of its archive; `nil` when the system
  /// returned none.
  package let status: FileStatus?

  package init(
    path: String, shownPath: String, relativePath: String, pathBelowInput: String? = nil,
    commonPath: String = "", isNamed: Bool, status: FileStatus?
  ) {
    self.path = path
    // Share one copy of equal paths to save memory.
    self.shownPath = shownPath.isSame(as: path) ? path : shownPath
    self.relativePath = relativePath
    self.pathBelowInput = pathBelowInput ?? relativePath
    self.commonPath = commonPath
    self.isNamed = isNamed
    self.status = status
  }

  /// The last component of the path.
  package var name: String {
    relativePath.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
      ?? relativePath
  }

  /// Whether reports and dumps have names that end like this one: `README.md` and `root.cer` are neither.
  package var hasEndingOfReports: Bool {
    let endings = [".txt", ".gz", ".csv", ".tsv", ".json", ".jsonl", ".ndjson"]
    return endings.contains(where: name.lowercased().hasSuffix)
  }

  /// The stored size in bytes, of a member after inflating; 0 when unknown.
  package var byteCount: Int { ZipMember(path: path)?.byteCount ?? status?.size ?? 0 }

  /// Whether the status is the same as when the file was listed, so that the bytes read are those of that file.
  package var isUnchanged: Bool {
    status != nil && FileStatus(of: ZipMember(path: path)?.archive ?? path) == status
  }
}

/// The size of a file with its first and last bytes, read without the bytes between them.
///
/// Those of a zip's member are read from its first byte to its last.
package struct FileEnds {
  package private(set) var byteCount = 0
  /// The first two bytes, or all of a shorter file.
  package private(set) var first: [UInt8] = []
  /// The last four bytes, or all of a shorter file.
  package private(set) var last: [UInt8] = []

  /// Reads both ends of a file; `nil` when it cannot be opened or read.
  package init?(of path: String) {
    if ZipMember(path: path) != nil {
      var ends = FileEnds()
      do throws(ScanError) {
        try StoredContent.forEachBlock(of: path) { ends.add($0) }
      } catch {
        return nil
      }
      self = ends
      return
    }
    do {
      let descriptor = try FileDescriptor(opening: path, .readOnly)
      defer { try? descriptor.close() }
      byteCount = Int(try descriptor.seek(offset: 0, from: .end))
      first = try descriptor.bytes(2, at: 0)
      last = try descriptor.bytes(4, at: Int64(max(0, byteCount - 4)))
    } catch {
      _ = SystemFault.noted(.cannotOpen(errno: (error as? Errno)?.rawValue ?? 0), path)
      return nil
    }
    guard last.count == min(4, byteCount) else { return nil }
  }

  private init() {}

  private mutating func add(_ block: Span<UInt8>) {
    byteCount += block.count
    for index in block.indices.prefix(2 - first.count) { first.append(block[index]) }
    for index in block.indices.suffix(4) { last.append(block[index]) }
    last.removeFirst(max(0, last.count - 4))
  }
}

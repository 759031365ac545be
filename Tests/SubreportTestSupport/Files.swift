import Glibc

/// The few file operations that functional cases need.
package enum Files {
  /// An operation that the system refused.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ action: String, _ path: String) {
      description = unsafe "cannot \(action) \(path): \(String(cString: strerror(errno)))"
    }
  }

  /// Returns a file's bytes, or `nil` if there is no such file.
  package static func bytes(of path: String) -> [UInt8]? {
    guard !isFolder(path), let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = unsafe fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk.prefix(count)
    }
    return bytes
  }

  /// Returns a file's text, or `nil` if there is no such file.
  package static func text(of path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes a file, and the folders it is in.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash])) }
    guard let file = unsafe fopen(path, "we") else { throw Failure("write", path) }
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, count == bytes.count else { throw Failure("write", path) }
  }

  /// Makes a folder and those it is in.
  package static func makeFolders(_ path: String) throws(Failure) {
    guard !path.isEmpty, !isFolder(path) else { return }
    if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash])) }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure("make", path) }
  }

  /// The folder for all temporary files of the tests: `TMPDIR`, or `/tmp`.
  ///
  /// `Scripts/run-tests` sets it to a folder in memory. On ext4, a new file costs a search of all files deleted in the
  /// last minutes, and the tests delete thousands.
  package static let temporary: String = {
    // Safe: the name is a literal, and the text is copied before anything changes the environment.
    guard let folder = unsafe getenv("TMPDIR") else { return "/tmp" }
    return unsafe String(cString: folder)
  }()

  /// Makes a new folder for temporary files.
  package static func makeTemporaryFolder() throws(Failure) -> String {
    var template = Array((temporary + "/subreport-tests-XXXXXX").utf8CString)
    // Safe: mkdtemp changes the template in place and keeps no pointer.
    guard unsafe mkdtemp(&template) != nil else { throw Failure("make", "a temporary folder") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a path is a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the paths of all files below a folder, relative to it, in order; links are followed.
  package static func paths(below folder: String) -> [String] {
    names(inFolder: folder).flatMap { name in
      let path = folder + "/" + name
      return isFolder(path) ? paths(below: path).map { name + "/" + $0 } : [name]
    }
  }
}

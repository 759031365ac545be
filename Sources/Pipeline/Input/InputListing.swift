import Glibc

/// Finds the files of a run, in path order: METRICS.md section 8.
public enum InputListing {
  /// Lists files and the files in folders, all sorted together by the bytes of their relative paths.
  ///
  /// - Parameters:
  ///   - inputs: Files and folders; `-` is standard input, which is kept in an unnamed temporary file.
  ///   - excludedFolder: A folder that is not entered, the output.
  ///   - cache: Another one, the cache.
  /// - Returns: The files, and an error for each input or folder that cannot be read.
  public static func list(
    _ inputs: [String], excluding excludedFolder: String? = nil, cache: String? = nil
  ) -> (files: [InputFile], errors: [InputError]) {
    // The output itself, its lock and what it is staged in are no inputs.
    let output = excludedFolder.flatMap { try? OutputPath($0) }
    var excluded = output.map { [$0.target, $0.lock, $0.staging(pid: getpid())] } ?? []
    if let cache { excluded.append(cache) }
    var walker = FolderWalker(excluded: Set(excluded.compactMap(FolderWalker.identity)))
    for input in inputs { walker.add(input) }
    let ordered = walker.files.enumerated().sorted { left, right in
      if left.element.relativePath == right.element.relativePath {
        return left.offset < right.offset
      }
      return left.element.relativePath.utf8.lexicographicallyPrecedes(
        right.element.relativePath.utf8)
    }
    return (ordered.map(\.element), walker.errors)
  }
}

extension InputListing {
  /// Returns an input that writing an output would destroy: one that is the output itself, or that
  /// lies inside an output folder.
  ///
  /// - Parameters:
  ///   - output: The file or the folder to be written.
  ///   - isFolder: Whether the output is a folder.
  ///   - inputs: Files and folders, as the user named them.
  /// - Returns: The input, `nil` when there is none.
  public static func inputDestroyed(
    by output: String, isFolder: Bool, inputs: [String]
  ) -> String? {
    if isFolder {
      guard let folder = OutputFileSystem.resolved(output) else { return nil }
      return inputs.first { input in
        guard input != "-", let path = OutputFileSystem.resolved(input) else { return false }
        return path != folder && path.utf8.starts(with: (folder + "/").utf8)
      }
    }
    guard let identity = FolderWalker.identity(output) else { return nil }
    var walker = FolderWalker(excluded: [])
    for input in inputs where input != "-" && !walker.isPipe(input) { walker.add(input) }
    return walker.files.first { FolderWalker.identity($0.path) == identity }?.shownPath
  }
}

/// Walks folders, entering each one once.
private struct FolderWalker {
  struct Identity: Hashable {
    var device: UInt
    var inode: UInt
  }

  var files: [InputFile] = []
  var errors: [InputError] = []
  private var entered: Set<Identity> = []
  private let excluded: Set<Identity>

  init(excluded: Set<Identity>) {
    self.excluded = excluded
  }

  static func identity(_ path: String) -> Identity? {
    var status = stat()
    // Safe: stat fills the struct it is given and keeps no pointer.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  mutating func add(_ input: String) {
    if input == "-" {
      spool(0, as: input)
    } else if isFolder(input) {
      let root = input.hasSuffix("/") ? String(input.dropLast()) : input
      walk(root.isEmpty ? "/" : root, shown: root, below: "")
    } else if isPipe(input) {
      // Safe: the descriptor is closed below.
      let descriptor = unsafe open(input, O_RDONLY)
      if descriptor >= 0 {
        spool(descriptor, as: input)
        close(descriptor)
      }
    } else {
      let name = input.split(separator: "/").last.map(String.init) ?? input
      files.append(
        InputFile(path: input, shownPath: input, relativePath: name, isNamed: true))
    }
  }

  private func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// Whether a path exists and can be read only once, like a pipe.
  func isPipe(_ path: String) -> Bool {
    kind(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
  }

  private func kind(of path: String) -> mode_t? {
    var status = stat()
    // Safe: as above.
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private mutating func walk(_ folder: String, shown: String, below relative: String) {
    guard let identity = Self.identity(folder), !excluded.contains(identity),
      entered.insert(identity).inserted
    else { return }
    guard let names = entries(of: folder) else {
      errors.append(
        InputError(
          path: shown, code: "cannot-open",
          message: "found a folder that cannot be opened, expected a readable one"))
      return
    }
    for name in names {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      let relativePath = relative.isEmpty ? name : relative + "/" + name
      if !excluded.isEmpty, let identity = Self.identity(path), excluded.contains(identity) {
        continue
      } else if isPipe(path) {
        continue  // A pipe in a folder may never end: it is no file of reports.
      } else if isFolder(path) {
        walk(path, shown: shown + "/" + name, below: relativePath)
      } else {
        files.append(
          InputFile(
            path: path, shownPath: shown + "/" + name, relativePath: relativePath, isNamed: false))
      }
    }
  }

  private func entries(of folder: String) -> [String]? {
    // Safe: the stream is closed below, and each name is copied before the next entry is read.
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Copies what can be read only once to an unnamed temporary file, because a report is read twice:
  /// once to see what it is, once for its rows.
  private mutating func spool(_ source: Int32, as input: String) {
    var template = Array("/tmp/subreport-XXXXXX".utf8CString)
    // Safe: the template is a writable, terminated string of the array's length.
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else {
      errors.append(
        InputError(
          path: input, code: "cannot-open",
          message: "found no room for it in /tmp, expected a writable folder"))
      return
    }
    unsafe unlink(&template)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Safe: the call writes at most as many bytes as the block has.
      let count = unsafe read(source, &block, block.count)
      guard count > 0 else { break }
      var written = 0
      while written < count {
        let step = unsafe block.withUnsafeBytes {
          unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + written }, count - written)
        }
        guard step > 0 else {
          errors.append(
            InputError(
              path: input, code: "cannot-read",
              message: "found no room for it in /tmp, expected enough of it"))
          return
        }
        written += step
      }
    }
    files.append(
      InputFile(
        path: "/proc/self/fd/\(descriptor)", shownPath: input, relativePath: "-", isNamed: true))
  }
}

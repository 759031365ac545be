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
    var walker = FolderWalker(
      excluded: Set(excluded.compactMap { FileStatus(of: $0)?.identity }))
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
    guard let identity = FileStatus(of: output)?.identity else { return nil }
    var walker = FolderWalker(excluded: [])
    for input in inputs where input != "-" && FileStatus(of: input)?.kind != .other {
      walker.add(input)
    }
    return walker.files.first { $0.status?.identity == identity }?.shownPath
  }
}

/// Walks folders, entering each one once.
private struct FolderWalker {
  var files: [InputFile] = []
  var errors: [InputError] = []
  private var entered: Set<FileIdentity> = []
  private let excluded: Set<FileIdentity>

  init(excluded: Set<FileIdentity>) {
    self.excluded = excluded
  }

  mutating func add(_ input: String) {
    let status = FileStatus(of: input)
    if input == "-" {
      spool(0, as: input)
    } else if let status, status.kind == .folder {
      let root = input.hasSuffix("/") ? String(input.dropLast()) : input
      walk(root.isEmpty ? "/" : root, status, shown: root, below: "")
    } else if status?.kind == .other {
      // Safe: the descriptor is closed below.
      let descriptor = unsafe open(input, O_RDONLY)
      if descriptor >= 0 {
        spool(descriptor, as: input)
        close(descriptor)
      }
    } else {
      let name = input.split(separator: "/").last.map(String.init) ?? input
      files.append(
        InputFile(
          path: input, shownPath: input, relativePath: name, isNamed: true, status: status))
    }
  }

  private mutating func walk(
    _ folder: String, _ status: FileStatus, shown: String, below relative: String
  ) {
    guard !excluded.contains(status.identity), entered.insert(status.identity).inserted else {
      return
    }
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
      let status = FileStatus(of: path)
      if let status, excluded.contains(status.identity) { continue }
      switch status?.kind {
      // What can be read only once, like a pipe, may never end in a folder: it is no file of reports.
      case .other: continue
      case .folder:
        if let status { walk(path, status, shown: shown + "/" + name, below: relativePath) }
      default:
        files.append(
          InputFile(
            path: path, shownPath: shown + "/" + name, relativePath: relativePath, isNamed: false,
            status: status))
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
    let path = "/proc/self/fd/\(descriptor)"
    files.append(
      InputFile(
        path: path, shownPath: input, relativePath: "-", isNamed: true,
        status: FileStatus(of: path)))
  }
}

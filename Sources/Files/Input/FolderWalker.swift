import Scanning

/// Walks folders, entering each one once.
struct FolderWalker {
  private(set) var files: [InputFile] = []
  private(set) var errors: [InputError] = []
  /// The archives of `fetch` among the folders, by their shown paths.
  private(set) var archives: [FetchedArchive] = []
  private var entered: Set<FileIdentity> = []
  private var excluded: Set<FileIdentity> = []
  /// Whether the members of a zip archive are listed, not the archive.
  private let opensArchives: Bool

  init(opensArchives: Bool = true) { self.opensArchives = opensArchives }

  /// Excludes an output folder, its lock and its staging folder.
  mutating func exclude(output folder: String) {
    do throws(OutputError) {
      let path = try OutputPath(folder)
      for path in [path.target, path.lock, path.staging] { exclude(path) }
    } catch {
      errors.append(InputError(folder: SystemPath.visible(folder), error))
    }
  }

  /// Excludes a file or a folder, if it exists.
  mutating func exclude(_ path: String) {
    do throws(OutputError) {
      if let status = try FileStatus.ofAnything(at: path) { excluded.insert(status.identity) }
    } catch {
      errors.append(InputError(folder: SystemPath.visible(path), error))
    }
  }

  /// Adds an input as the user named it: a file, a folder with all its files, or a pipe or device.
  mutating func add(_ input: String) {
    if input == "-" { return add(Spool.copyStandardInput(as: input)) }
    guard let status = look(at: input) else { return }
    if let status, status.kind == .folder {
      let root = input.hasSuffix("/") ? String(input.dropLast()) : input
      walk(root.isEmpty ? "/" : root, status, shown: SystemPath.visible(root), below: "")
    } else if status?.kind == .other {
      add(Spool.copy(input))
    } else if status == nil, let sign = ["~", "*"].first(where: input.contains) {
      errors.append(
        InputError(
          path: SystemPath.visible(input), code: "cannot-open",
          message:
            "there is no such file or folder; subreport takes \(sign) as it is: write the whole path, or name the folder"
        ))
    } else {
      let shown = SystemPath.visible(input)
      let name = shown.split(separator: "/").last.map(String.init) ?? shown
      add(
        InputFile(path: input, shownPath: shown, relativePath: name, isNamed: true, status: status))
    }
  }

  /// Returns the status of a path: an inner `nil` when it does not exist, an outer `nil` after an error.
  private mutating func look(at path: String, below relative: String = "") -> FileStatus?? {
    do throws(OutputError) {
      return .some(try FileStatus.ofAnything(at: path))
    } catch {
      let message = "cannot open it: \(error.reasonText)"
      errors.append(
        InputError(
          path: SystemPath.visible(path), relativePath: relative, code: "cannot-open",
          message: message))
      return nil
    }
  }

  private mutating func add(_ spooled: Result<InputFile, InputError>) {
    switch spooled {
    case .success(let file): add(file)
    case .failure(let error): errors.append(error)
    }
  }

  /// Adds a file, or in its place the members of a zip archive.
  private mutating func add(_ file: InputFile) {
    guard opensArchives, file.mayBeArchive, ZipDirectory.isZip(path: file.path) else {
      files.append(file)
      return
    }
    do throws(ZipError) {
      let archive = try ZipDirectory(path: file.path)
      // One without a file to read is left aside as such.
      if archive.isSpreadsheet || archive.members.isEmpty { return files.append(file) }
      for member in archive.members { add(member, of: file) }
    } catch {
      // A damaged document of another program is left aside as such.
      guard file.isNamed || file.name.lowercased().hasSuffix(".zip") else {
        return files.append(file)
      }
      errors.append(
        InputError(
          path: file.shownPath, relativePath: file.relativePath, code: error.code,
          message: error.message))
    }
  }

  private mutating func add(_ member: ZipDirectory.Member, of archive: InputFile) {
    let shown = archive.shownPath + "/" + member.name
    let relative = archive.relativePath + "/" + member.name
    switch member.content {
    case .success(let content):
      files.append(
        InputFile(
          path: content.path, shownPath: shown, relativePath: relative, isNamed: false,
          status: archive.status))
    case .failure(let error):
      errors.append(
        InputError(path: shown, relativePath: relative, code: error.code, message: error.message))
    }
  }

  private mutating func walk(
    _ folder: String, _ status: FileStatus, shown: String, below relative: String
  ) {
    guard !excluded.contains(status.identity), entered.insert(status.identity).inserted else {
      return
    }
    let names: [String]
    do throws(OutputError) {
      names = try OutputFileSystem.names(in: folder)
    } catch {
      errors.append(InputError(folder: shown, below: relative, error))
      return
    }
    let isArchive = FetchedArchive.isMarked(folder)
    if isArchive { archives.append(FetchedArchive(folder, belowInput: relative)) }
    for name in names where !isArchive || !FetchedArchive.isHidden(name) {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      let shownName = SystemPath.visible(name)
      let relativePath = relative.isEmpty ? shownName : relative + "/" + shownName
      guard let status = look(at: path, below: relativePath) else { continue }
      if let status, excluded.contains(status.identity) { continue }
      switch status?.kind {
      // Reading one in a folder may never end.
      case .other:
        errors.append(
          InputError(
            path: shown + "/" + shownName, relativePath: relativePath, code: "cannot-open",
            message: "found a pipe, a socket or a device, expected a file or a folder"))
      case .folder:
        if let status { walk(path, status, shown: shown + "/" + shownName, below: relativePath) }
      default:
        add(
          InputFile(
            path: path, shownPath: shown + "/" + shownName, relativePath: relativePath,
            isNamed: false, status: status))
      }
    }
  }
}

extension InputFile {
  /// The endings of files that are no archives, and need not be opened to know it.
  private static let endingsOfOthers: Set<Substring> = [
    "txt", "tsv", "csv", "gz", "json", "jsonl", "ndjson",
  ]

  /// Whether the file may be a zip archive: in a folder by its name.
  fileprivate var mayBeArchive: Bool {
    if isNamed { return true }
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    let ending = name[(dot.map(name.utf8.index(after:)) ?? name.startIndex)...]
    return !Self.endingsOfOthers.contains(ending.lowercased()[...])
  }
}

extension InputError {
  /// Creates the error for a folder whose names could not be read, or not all of them.
  fileprivate init(folder: String, below relative: String = "", _ error: OutputError) {
    let (code, message) =
      switch error {
      case .system("read", _, let number):
        ("cannot-read", "cannot read the folder to its end: \(OutputError.text(of: number))")
      case .system(_, _, let number):
        ("cannot-open", "cannot open the folder: \(OutputError.text(of: number))")
      default: ("cannot-open", error.message)
      }
    self.init(path: folder, relativePath: relative, code: code, message: message, isOfFolder: true)
  }
}

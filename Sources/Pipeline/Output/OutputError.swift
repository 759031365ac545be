import Glibc

/// Why an output was not written; nothing on disk has changed when one is thrown.
///
/// The one exception is ``system(operation:path:number:)`` with the operation `sync`, when the disk
/// did not confirm a finished replacement.
public enum OutputError: Error, Hashable, Sendable {
  /// Another run is writing to the folder; its process id, if it could be read.
  case locked(path: String, pid: Int32?)
  /// The folder holds a file that `subreport` did not write.
  case foreignFile(folder: String, file: String)
  /// The path of a folder names something else.
  case notAFolder(path: String)
  /// The path of a file names a folder.
  case isAFolder(path: String)
  /// The folder is or holds the working folder, which cannot be replaced under a running shell.
  case workingFolder(path: String)
  /// The folder is a mount point, which cannot be renamed.
  case mountPoint(path: String)
  /// The folder that should hold the output does not exist.
  case noParent(path: String)
  /// The folder that is named as a cache is none.
  case notACache(path: String)
  /// The run was stopped.
  case interrupted(path: String)
  /// The system refused; `operation` is one word such as `write`, `number` is `errno`.
  case system(operation: String, path: String, number: Int32)

  /// A stable name of the kind of error.
  public enum Code: String, CaseIterable, Sendable {
    /// Another run is writing to the folder.
    case locked = "output-locked"
    /// The folder holds a file that `subreport` did not write.
    case foreignFile = "foreign-file"
    /// The path of a folder names something else.
    case notAFolder = "not-a-folder"
    /// The path of a file names a folder.
    case isAFolder = "is-a-folder"
    /// The folder is or holds the working folder.
    case workingFolder = "working-folder"
    /// The folder is a mount point.
    case mountPoint = "mount-point"
    /// The folder that should hold the output does not exist.
    case noParent = "no-parent-folder"
    /// The folder that is named as a cache is none.
    case notACache = "not-a-cache"
    /// The run was stopped.
    case interrupted = "interrupted"
    /// The system refused.
    case system = "output-not-written"
  }

  /// The error's stable name.
  public var code: Code {
    switch self {
    case .locked: .locked
    case .foreignFile: .foreignFile
    case .notAFolder: .notAFolder
    case .isAFolder: .isAFolder
    case .workingFolder: .workingFolder
    case .mountPoint: .mountPoint
    case .noParent: .noParent
    case .notACache: .notACache
    case .interrupted: .interrupted
    case .system: .system
    }
  }

  /// The file or folder that was not written.
  public var path: String {
    switch self {
    case .locked(let path, _), .foreignFile(let path, _), .notAFolder(let path),
      .isAFolder(let path), .workingFolder(let path), .mountPoint(let path), .noParent(let path),
      .notACache(let path), .interrupted(let path), .system(_, let path, _):
      path
    }
  }

  /// What was found and what to do about it, without the path and the code.
  public var message: String {
    switch self {
    case .locked(_, let pid?): "another run (process \(pid)) is writing to this folder"
    case .locked(_, nil): "another run is writing to this folder"
    case .foreignFile(_, let file):
      "found \"\(file)\", which subreport did not write; name another folder or give --force"
    case .notAFolder: "found something that is not a folder"
    case .isAFolder: "found a folder, expected a file"
    case .workingFolder: "this is or holds the working folder; name a folder inside it"
    case .mountPoint: "this is a mount point, which cannot be replaced; name a folder inside it"
    case .noParent: "the folder to write it in does not exist"
    case .notACache:
      "found no cache; --cache takes one that subreport made, or a new or empty folder"
    case .interrupted: "the run was stopped before this was written"
    case .system(let operation, _, let number): "cannot \(operation): \(Self.text(of: number))"
    }
  }

  private static func text(of number: Int32) -> String {
    // Safe: strerror returns a terminated string, copied before any other call on this thread.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
  }

  /// Returns the error with the path that the user named instead of a temporary one.
  func naming(_ path: String) -> OutputError {
    switch self {
    case .system(let operation, _, let number):
      .system(operation: operation, path: path, number: number)
    case .mountPoint: .mountPoint(path: path)
    default: self
    }
  }
}

extension OutputError: CustomStringConvertible {
  /// The whole line: `PATH: error: MESSAGE [CODE]`.
  public var description: String { "\(path): error: \(message) [\(code.rawValue)]" }
}

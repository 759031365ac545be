import Scanning
import SystemPackage

/// The reason why an output was not written.
///
/// Nothing on disk has changed when one is thrown, except with ``notSynced(path:isFolder:number:)``.
package enum OutputError: Error, Hashable, Sendable {
  /// Another run is writing to the folder; with its process id, if it could be read.
  case locked(path: String, pid: Int32?)
  /// Another run is adding to the file.
  case lockedFile(path: String)
  /// The folder holds a file that `subreport` did not write.
  case foreignFile(folder: String, file: String)
  /// `subreport` did not write the file that would be replaced, or another program has changed it since.
  case otherFile(path: String, canForce: Bool)
  /// The path for an output folder is something else.
  case notAFolder(path: String)
  /// The path for an output file is a folder.
  case isAFolder(path: String)
  /// The folder is or contains the working folder, which cannot be replaced under a running shell.
  case workingFolder(path: String)
  /// The folder is a mount point, which cannot be renamed.
  case mountPoint(path: String)
  /// The folder in which to create the output does not exist.
  case noParent(path: String)
  /// The path is a link to something that does not exist.
  case danglingLink(path: String)
  /// The folder in which to create the output, and to lock it, cannot be written in; `number` is `errno`.
  case unwritableParent(path: String, parent: String, number: Int32)
  /// The folder, or something in it, cannot serve the purpose it was named for.
  case unusableFolder(path: String, FolderProblem)
  /// The run was stopped.
  case interrupted(path: String)
  /// The output is in place, but the disk did not confirm it; `number` is `errno`.
  case notSynced(path: String, isFolder: Bool, number: Int32)
  /// The system refused; `operation` is one word such as `write`, `number` is `errno`.
  case system(operation: String, path: String, number: Int32)

  /// The reason why a folder cannot serve its purpose.
  package struct FolderProblem: Hashable, Sendable {
    /// A stable name of the reason.
    let code: String
    /// The problem and the advice.
    let message: String
    /// The effect on the exit code.
    package let reason: ExitReason

    package init(code: String, message: String, reason: ExitReason) {
      self.code = code
      self.message = message
      self.reason = reason
    }
  }

  /// A stable name of the kind of error.
  package var code: String {
    switch self {
    case .locked, .lockedFile: "output-locked"
    case .foreignFile, .otherFile: "foreign-file"
    case .notAFolder: "not-a-folder"
    case .isAFolder: "is-a-folder"
    case .workingFolder: "working-folder"
    case .mountPoint: "mount-point"
    case .noParent: "no-parent-folder"
    case .danglingLink: "dangling-link"
    case .unusableFolder(_, let why): why.code
    case .interrupted: "interrupted"
    case .notSynced: "output-not-synced"
    case .unwritableParent, .system: "output-not-written"
    }
  }

  /// The file or folder that was not written.
  package var path: String {
    switch self {
    case .locked(let path, _), .lockedFile(let path), .foreignFile(let path, _),
      .otherFile(let path, _), .notAFolder(let path),
      .isAFolder(let path), .workingFolder(let path), .mountPoint(let path), .noParent(let path),
      .danglingLink(let path), .unwritableParent(let path, _, _), .unusableFolder(let path, _),
      .interrupted(let path),
      .notSynced(let path, _, _),
      .system(_, let path, _):
      path
    }
  }

  /// The error number of the system, `errno`; `nil` if the system did not refuse.
  package var number: Int32? {
    switch self {
    case .system(_, _, let number), .notSynced(_, _, let number),
      .unwritableParent(_, _, let number):
      number
    default: nil
    }
  }

  /// Whether the reader of a pipe, such as `head`, has stopped reading.
  package var isOfClosedPipe: Bool { number == Errno.brokenPipe.rawValue }

  /// The problem and the advice, without the path and the code.
  package var message: String {
    switch self {
    case .locked(_, let pid?): "another run (process \(pid)) is writing to this folder"
    case .locked(_, nil): "another run is writing to this folder"
    case .lockedFile: "another run is adding to this file"
    case .foreignFile(_, let file):
      "found \"\(file)\", which subreport did not write; name another folder, or give --force, which removes its files"
    case .otherFile(_, let canForce):
      "subreport did not write this file, or another program has changed it; name another file, or \(canForce ? "give --force, which replaces it" : "remove it")"
    case .notAFolder: "this is not a folder"
    case .isAFolder: "found a folder, expected a file"
    case .workingFolder: "this is or holds the working folder; name a folder inside it"
    case .mountPoint: "this is a mount point, which cannot be replaced; name a folder inside it"
    case .noParent: "the folder to write it in does not exist"
    case .danglingLink:
      "this link leads to something that does not exist; name the file itself, or remove the link"
    case .unwritableParent(_, let parent, let number):
      "cannot lock: \(Self.text(of: number)) in \(parent); this folder must be writable, because the new output is made there and renamed"
    case .unusableFolder(_, let why): why.message
    case .interrupted: "the run was stopped before this was written"
    case .notSynced(_, let isFolder, let number):
      "the new \(isFolder ? "folder" : "file") is in place, but may not survive a power cut: the disk did not confirm it (\(Self.text(of: number)))"
    case .system(let operation, _, let number): "cannot \(operation): \(Self.text(of: number))"
    }
  }

  /// Returns the system's text for an error number, in lower case.
  static func text(of number: Int32) -> String { systemMessage(number) }

  /// The system's text for a system error; the message of any other error.
  var reasonText: String {
    if case .system(_, _, let number) = self { return Self.text(of: number) }
    return message
  }

  /// Returns the error for an output that is already in place.
  func afterReplacing(_ path: String, isFolder: Bool) -> OutputError {
    guard case .system(_, _, let number) = self else { return self }
    return .notSynced(path: path, isFolder: isFolder, number: number)
  }

  /// Returns the error with the path that the user named instead of a temporary one.
  package func naming(_ path: String) -> OutputError {
    switch self {
    case .system(let operation, _, let number):
      .system(operation: operation, path: path, number: number)
    case .mountPoint: .mountPoint(path: path)
    default: self
    }
  }
}

extension OutputError {
  /// Returns an error about a path in a temporary folder as one about the path that the user named.
  package func naming(_ path: String, insteadOf temporary: String) -> OutputError {
    self.path == temporary || self.path.utf8.starts(with: (temporary + "/").utf8)
      ? naming(path) : self
  }
}

extension OutputError: CustomStringConvertible {
  /// The whole line: `PATH: error: MESSAGE [CODE]`.
  package var description: String { "\(path): error: \(message) [\(code)]" }
}

/// A reason for a run's exit code; several may hold at once.
package enum ExitReason: Int32, CaseIterable, Sendable {
  /// A condition holds, too many rows were rejected, or a folder differs from its manifest.
  case failIf = 1
  case unusableInput = 2
  /// Days are missing, or a settlement or an earlier run could not be verified.
  case missingDays = 3
  case corruptInput = 4
  case locked = 5
  case unreconciled = 6
  /// Apple or the network failed for some requests of `fetch`; the others are kept.
  case unreachable = 7
  case usage = 64
  case internalError = 70

  /// The reasons by precedence: the first that holds is the exit code.
  private static let precedence: [ExitReason] = [
    .internalError, .usage, .locked, .unusableInput, .corruptInput, .unreachable, .unreconciled,
    .missingDays, .failIf,
  ]

  /// Returns the exit code for several reasons, 0 for none.
  package static func code(of reasons: Set<ExitReason>) -> Int32 {
    precedence.first(where: reasons.contains)?.rawValue ?? 0
  }
}

import Scanning
import Storage

/// A folder of output files that appears all at once or not at all.
///
/// Files are staged in `.DIR.staging-PID` beside DIR, each synced, and ``commit()`` swaps the two folders, so that
/// another program sees either all old files or all new ones. `.DIR.lock` keeps other runs out meanwhile. Without a
/// commit, DIR stays as it was.
///
/// A folder with anything that its own `manifest.json` does not list is not replaced unless forced. The manifest
/// is added like any other file; see ``OutputListing`` for its format.
package struct OutputFolder: ~Copyable {
  /// Messages for the user: a lock taken over, foreign files about to be replaced.
  package private(set) var notes: [String] = []
  /// Messages about folders of earlier runs that cannot be removed.
  package let leftovers: [String]

  private let path: OutputPath
  private let staging: String
  private let isForced: Bool
  private let cleanup: OutputCleanup
  /// The paths of staged files in the folder.
  private var files: Set<String> = []
  /// The paths of the folders that hold them.
  private var folders: Set<String> = []

  /// Locks a folder, which need not exist, in one that does, and begins to stage its files.
  ///
  /// With `force` the folder is replaced even if it holds files that `subreport` did not write, which are then
  /// removed. `cleanup` stops the output when the run is stopped.
  package init(path: String, force: Bool, cleanup: OutputCleanup = .shared) throws(OutputError) {
    let path = try OutputPath(path)
    guard !path.holdsWorkingFolder else { throw .workingFolder(path: path.target) }
    // Fail before taking the lock if the folder cannot be replaced.
    _ = try Self.exists(path)
    let staging = path.staging
    var notes = try cleanup.takeLock(path.lock, for: path.target).map { [$0] } ?? []
    let leftovers: [String]
    do throws(OutputError) {
      leftovers = try Self.removeLeftovers(of: path)
      if let file = try Self.foreignFile(in: path) {
        guard force else { throw .foreignFile(folder: path.target, file: file) }
        notes.append(
          "\(path.target): replacing \"\(file)\" and all else there, not written by subreport")
      }
      try cleanup.write(temporary: staging, for: path.target) { () throws(OutputError) in
        try OutputFileSystem.makeFolder(staging)
      }
    } catch {
      cleanup.release(temporary: staging, lock: path.lock)
      throw error.naming(path.target, insteadOf: staging)
    }
    (self.path, self.staging, self.notes, self.leftovers) = (path, staging, notes, leftovers)
    (isForced, self.cleanup) = (force, cleanup)
  }

  deinit {
    // After a commit the staging folder holds the old files, if any.
    cleanup.release(temporary: staging, lock: path.lock)
  }

  /// Stages files and waits until they are on the disk.
  ///
  /// Their paths in the folder are such as `churn.csv` or `truth/chains.csv`, each at most once, without `.` and
  /// `..`. A disk stores many files with several threads as fast as one.
  package mutating func add(
    _ added: [(name: String, bytes: [UInt8])], jobs: Int = 1
  ) throws(OutputError) {
    var newFolders: [String] = []
    for (name, _) in added {
      let components = name.split(separator: "/", omittingEmptySubsequences: false)
      precondition(
        components.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." },
        "an output's name is a path inside its folder")
      precondition(files.insert(name).inserted, "an output is added once")
      for end in components.indices.dropFirst() {
        let folder = components[..<end].joined(separator: "/")
        if folders.insert(folder).inserted { newFolders.append(folder) }
      }
    }
    let (staging, target) = (staging, path.target)
    try cleanup.write(temporary: staging, for: target) { () throws(OutputError) in
      do throws(OutputError) {
        for folder in newFolders { try OutputFileSystem.makeFolder(staging + "/" + folder) }
        let written = Workers.map(count: added.count, jobs: jobs) { item in
          Result { () throws(OutputError) in
            try OutputFileSystem.writeNewFile(
              staging + "/" + added[item].name, parts: [added[item].bytes])
          }
        }
        for result in written { try result.get() }
      } catch {
        throw error.naming(target, insteadOf: staging)
      }
    }
  }

  /// Replaces the folder by the staged files and releases its lock; returns a note if the old folder cannot be
  /// removed.
  ///
  /// If the system cannot swap two folders, the old one is moved aside first; the next run repairs a crash between
  /// the two steps. Refuses a foreign file that has appeared in the meantime.
  @discardableResult
  package consuming func commit() throws(OutputError) -> String? {
    let (path, staging, isForced, folders) = (path, staging, isForced, folders)
    try cleanup.write(temporary: staging, for: path.target) { () throws(OutputError) in
      do throws(OutputError) {
        for folder in folders { try OutputFileSystem.syncFolder(staging + "/" + folder) }
        try OutputFileSystem.syncFolder(staging)
        if let file = try Self.foreignFile(in: path), !isForced {
          throw .foreignFile(folder: path.target, file: file)
        }
        try Self.replace(path, with: staging)
      } catch {
        throw error.naming(path.target, insteadOf: staging)
      }
      do throws(OutputError) {
        try OutputFileSystem.syncFolder(path.parent)
      } catch {
        throw error.afterReplacing(path.target, isFolder: true)
      }
    }
    return Self.removed(staging) ?? Self.removed(path.old)
  }

  /// Puts the staging folder in place of the output folder, which need not exist.
  private static func replace(_ path: OutputPath, with staging: String) throws(OutputError) {
    guard let status = try FileStatus.ofAnything(at: path.target) else {
      return try OutputFileSystem.move(staging, to: path.target)
    }
    try OutputFileSystem.setMode(status.mode, of: staging)
    if try OutputFileSystem.exchange(staging, path.target) { return }
    let old = path.old
    try OutputFileSystem.move(path.target, to: old)
    do throws(OutputError) {
      try OutputFileSystem.move(staging, to: path.target)
    } catch {
      try? OutputFileSystem.move(old, to: path.target)
      throw error
    }
  }

  /// Returns a file that `subreport` did not write; a missing folder has none.
  private static func foreignFile(in path: OutputPath) throws(OutputError) -> String? {
    try exists(path) ? OutputListing.firstForeignFile(in: path.target) : nil
  }

  /// Returns whether the folder exists; throws when it cannot be replaced.
  private static func exists(_ path: OutputPath) throws(OutputError) -> Bool {
    guard let status = try FileStatus.ofAnything(at: path.target) else { return false }
    guard status.kind == .folder else { throw .notAFolder(path: path.target) }
    guard status.device == FileStatus(of: path.parent)?.device else {
      throw .mountPoint(path: path.target)
    }
    return true
  }

  /// Removes what a crashed run left; safe because this run holds the lock.
  ///
  /// Returns a note for each folder that cannot be removed.
  private static func removeLeftovers(of path: OutputPath) throws(OutputError) -> [String] {
    let leftovers = try path.leftovers()
    if try FileStatus.ofAnything(at: path.target) == nil, let old = leftovers.old.first {
      try OutputFileSystem.move(old, to: path.target)
    }
    return (leftovers.staging + leftovers.old).compactMap(removed)
  }

  /// Removes a folder; returns a note if it stays, such as one whose files belong to another user.
  private static func removed(_ path: String) -> String? {
    OutputFileSystem.removeTree(path)
    guard let status = FileStatus(of: path, followsLinks: false) else { return nil }
    let owner = userName(of: status.owner) ?? String(status.owner)
    return
      "\(path): the folder of an earlier run cannot be removed (it belongs to user \(owner)); remove it"
  }
}

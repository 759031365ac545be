import Files
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal that standard output goes to.
enum Terminal {
  static var isThere: Bool { StandardStream.output.isTerminal }

  /// The columns that a table may take: `COLUMNS`, else the terminal's; `nil` without either.
  static var columns: Int? {
    if let text = Settings.environment("COLUMNS"), let number = Int(text), number > 0 {
      return number
    }
    guard let size = StandardStream.output.terminalSize, size.columns > 0 else { return nil }
    return size.columns
  }

  /// The lines that a terminal shows at once: its own, else `LINES`, else 24; `nil` without a terminal.
  static var lines: Int? {
    guard isThere else { return nil }
    if let size = StandardStream.output.terminalSize, size.lines > 0 { return size.lines }
    return Settings.environment("LINES").flatMap { Int($0) } ?? 24
  }
}

/// Shows long tables on a terminal page by page.
enum Pager {
  /// The pager without `PAGER`: it ends at once when all fits, keeps colours, and leaves the table on the screen.
  private static let usual = "less"
  private static let usualWords = "less -FRX"

  /// The command that shows pages, a line for the shell; `nil` for none: an empty `PAGER`, or no `less`.
  static var command: String? {
    if let text = SystemProcess.environment("PAGER") {
      return text.allSatisfy { $0 == " " } || text == "cat" ? nil : text
    }
    return isOnPath(usual) ? usualWords : nil
  }

  /// Shows text in the pager and waits until the user leaves it; returns whether the pager could be started.
  ///
  /// A pager that ends early has shown what the user wanted: that is no error.
  static func show(_ bytes: [UInt8], with command: String) -> Bool {
    show(with: command) { (write) throws(OutputError) in try write(bytes) }
  }

  /// Shows text in the pager, piece by piece, as other text.
  static func show(with command: String, _ parts: OutputParts) -> Bool {
    var ends: [Int32] = [0, 0]
    // Safe: the call fills the two elements.
    guard unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Interruption.isPaging.store(true, ordering: .relaxed)
    defer { Interruption.isPaging.store(false, ordering: .relaxed) }
    let process = start(command, input: ends[0])
    close(ends[0])
    // An error is that of a pager that was left.
    if process != nil {
      try? parts { (bytes) throws(OutputError) in
        try OutputFileSystem.write(bytes, to: ends[1], path: "pager")
      }
    }
    close(ends[1])
    guard let process else { return false }
    var status: Int32 = 0
    // Safe: the call fills the status.
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The shell ends with 126 or 127 when there is no such program.
    return ![126, 127].contains((status >> 8) & 0xFF)
  }

  /// Starts a shell with the command, which gets the usual signals; `nil` if it cannot be started.
  private static func start(_ command: String, input: Int32) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&usual)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&usual, number) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in ["/bin/sh", "-c", command] { unsafe words.append(strdup(word)) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    // Safe: the list ends with nil and outlives the call, which copies it.
    let code = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
    return code == 0 ? process : nil
  }

  private static func isOnPath(_ name: String) -> Bool {
    (Settings.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { folder in
      // Safe: the path is a C string for the call, which only looks at the file.
      unsafe access("\(folder)/\(name)", X_OK) == 0
    }
  }
}

import SubreportTestSupport
import Testing

/// Runs the program with a terminal of some size as its standard output.
enum TestTerminal {
  /// Opens a terminal, runs a command in it, and prints what the terminal received.
  private static let script = """
    import fcntl, os, struct, subprocess, sys, termios
    columns, lines = int(sys.argv[1]), int(sys.argv[2])
    reader, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    shares = sys.argv[3] == "shared"
    process = subprocess.Popen(sys.argv[4:], stdout=terminal, stderr=terminal if shares else None)
    os.close(terminal)
    text = b""
    while True:
        try:
            part = os.read(reader, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    sys.stdout.buffer.write(text.replace(b"\\r\\n", b"\\n"))
    sys.stdout.flush()
    sys.exit(process.wait())
    """

  /// Whether there is a python3 that can open terminals.
  static let isThere: Bool = {
    guard let sandbox = try? Sandbox() else { return false }
    let words = ["-c", "import os, termios; os.openpty()"]
    return (try? Program.run(words, program: "python3", in: sandbox))?.status == 0
  }()

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name, without spaces in them.
  ///   - columns: The width of the terminal.
  ///   - lines: Its height.
  ///   - environment: Variables besides the usual ones.
  ///   - sharesNotes: Whether standard error is the terminal too.
  ///   - sandbox: Where it runs.
  /// - Returns: What the terminal received, as lines; what standard error received; the exit code.
  /// - Throws: What keeps it from running.
  static func run(
    _ words: String, columns: Int, lines: Int, environment: [String: String] = [:],
    sharesNotes: Bool = false, in sandbox: Sandbox
  ) throws -> (screen: [String], notes: String, status: Int32) {
    let arguments =
      ["-c", script, "\(columns)", "\(lines)", sharesNotes ? "shared" : "", try Program.path]
      + words.split(separator: " ").map(String.init)
    let found = try Program.run(
      arguments, environment: environment, program: "python3", in: sandbox)
    let screen = found.output.split(separator: "\n", omittingEmptySubsequences: false)
    return (screen.map(String.init), found.errors, found.status)
  }
}

@Suite(
  "Tables on a terminal",
  .enabled(if: TestTerminal.isThere, "there is no python3 that can open a terminal"))
struct TerminalTests {
  private static let reports =
    Repository.root + "/Tests/FunctionalTests/Cases/tables/terminal-80/reports"
  @Test
  func `retention is that of one length of plan`() throws {
    let sample = Repository.root + "/sample-reports"
    let found = try TestTerminal.run(
      "retention \(sample) --no-pager --color never", columns: 100, lines: 60, in: Sandbox())
    #expect(found.screen.first?.hasPrefix("Of 100 who began a monthly plan") == true)
    #expect(found.notes.contains("note: only plans of 1 Month; --by duration shows all lengths"))
    #expect(!found.screen.contains { $0.contains("7 Days") }, "\(found.screen)")
    let page = try Program.run(["retention", sample, "-f", "html", "-q"], in: Sandbox()).output
    #expect(page.contains("only plans of 1 Month") && !page.contains(">7 Days<"))
  }

  @Test
  func `a table stands above its notes`() throws {
    let command = "churn \(Repository.root)/sample-reports --no-pager --color never"
    // Notes go to the same terminal.
    let found = try TestTerminal.run(
      "\(command)", columns: 100, lines: 60, sharesNotes: true, in: Sandbox())
    #expect(found.screen.first?.hasPrefix("29 of 309 left in September") == true)
    let table = found.screen.firstIndex { $0.hasPrefix("source") } ?? .max
    let notes = found.screen.indices.filter { found.screen[$0].hasPrefix("note: ") }
    #expect(!notes.isEmpty && notes.allSatisfy { $0 > table }, "\(found.screen)")
  }

  @Test
  func `a figure of several says so`() throws {
    let found = try Sandbox().run("proceeds \(Repository.root)/sample-reports -f svg")
    #expect(
      found.errors.contains("note: the first of 4 figures; -f html has all of them"),
      "\(found.errors)")
  }

  @Test
  func `settlements begin with one sentence, and have all amounts`() throws {
    let reports = Repository.root + "/Tests/FunctionalTests/Cases/reconcile/settlement/reports"
    let found = try TestTerminal.run(
      "reconcile \(reports) --no-pager --color never", columns: 120, lines: 60, in: Sandbox())
    #expect(
      found.screen.first?.hasPrefix("FY") == true
        || found.screen.first?.contains("verified") == true)
    #expect(!found.screen.contains { $0.contains(" · ") }, "\(found.screen)")
    let header = found.screen.first { $0.hasPrefix("region") || $0.hasPrefix("period") } ?? ""
    for column in ["verdict", "sales", "settled", "owed", "paid", "unexplained"] {
      #expect(header.contains(column), "\(column) in \(header)")
    }
  }

  /// A table of seven rows and a header.
  private static let long = "churn \(reports) --all-months --by product -q"

  @Test
  func `fit 80 columns, and a note names the columns left out`() throws {
    let found = try TestTerminal.run(
      "churn \(Self.reports) --color never", columns: 80, lines: 24, in: Sandbox())
    #expect(found.status == 0)
    #expect(found.screen.allSatisfy { $0.count <= 80 }, "\(found.screen)")
    #expect(found.screen.first?.hasPrefix("At most 0 of 3 left in April (0.0%).") == true)
    let header = found.screen.first { $0.hasPrefix("source") } ?? ""
    for column in ["month", "active_start", "churned", "churn_rate", "low", "high", "state"] {
      #expect(header.split(separator: " ").contains(Substring(column)), "\(column)")
    }
    #expect(
      found.notes.contains(
        "note: too wide for the terminal, not shown: churned_refund, churned_unknown, churned_provisional; --columns shows them\n"
      ))
  }

  @Test
  func `have the answer and its numbers whole in 40 columns`() throws {
    let found = try TestTerminal.run(
      "churn \(Self.reports) --color never", columns: 40, lines: 24, in: Sandbox())
    #expect(found.screen.allSatisfy { $0.count <= 40 }, "\(found.screen)")
    let text = found.screen.joined(separator: "\n")
    for part in ["0 of 3", "incomplete", "churn_rate", "56.15%"] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    #expect(found.notes.contains("note: all rows are of 2026-04\n"))
  }

  @Test
  func `have changes of rates in points`() throws {
    let found = try TestTerminal.run(
      "churn sample-reports --source events --against previous --month 2026-09 -q --color never",
      columns: 100, lines: 24, in: sample())
    let text = found.screen.joined(separator: "\n")
    #expect(text.contains("churn_rate_change"), "\(text)")
    #expect(text.contains("+1.28 points  "), "\(text)")
  }

  /// Returns a sandbox in which the program finds the sample.
  private func sample() throws -> Sandbox {
    let sandbox = try Sandbox()
    let link = try Program.run(
      ["-s", Repository.root + "/sample-reports", "sample-reports"], program: "ln", in: sandbox)
    try #require(link.status == 0)
    return sandbox
  }

  // MARK: Pages

  @Test
  func `go through the pager where they are longer than the screen`() throws {
    let sandbox = try Sandbox()
    let found = try TestTerminal.run(
      Self.long, columns: 80, lines: 5, environment: ["PAGER": "cat >paged"], in: sandbox)
    #expect(found.status == 0 && found.screen == [""] && found.notes.isEmpty, "\(found)")
    let paged = try #require(Files.text(of: sandbox.work + "/paged"))
    #expect(paged.split(separator: "\n").count == 8)
    #expect(paged.contains("2026-04  Plus Monthly"))
  }

  /// The lines of a screen, the value of `PAGER`, and an option.
  static let unpaged: [(Int, String, String)] = [
    (24, "cat >paged", ""), (5, "cat >paged", " --no-pager"), (5, "cat", ""), (5, "", ""),
    (5, " ", ""),
  ]

  @Test(arguments: unpaged)
  func `are printed at once where they fit, and without a pager`(
    lines: Int, pager: String, option: String
  ) throws {
    let sandbox = try Sandbox()
    let found = try TestTerminal.run(
      Self.long + option, columns: 80, lines: lines, environment: ["PAGER": pager], in: sandbox)
    #expect(found.status == 0 && found.notes.isEmpty, "\(found.notes)")
    // Eight lines, and the rest after the last one.
    #expect(found.screen.count == 9 && found.screen[8].isEmpty)
    #expect(Files.bytes(of: sandbox.work + "/paged") == nil)
  }

  @Test
  func `are printed where the pager does not exist`() throws {
    let found = try TestTerminal.run(
      Self.long, columns: 80, lines: 5, environment: ["PAGER": "no-such-pager"], in: Sandbox())
    #expect(found.status == 0)
    #expect(found.screen.count == 9, "\(found.screen)")
    #expect(found.notes.contains("no-such-pager"))
  }

  @Test
  func `end with the pager that the user leaves early`() throws {
    let sandbox = try Sandbox()
    let found = try TestTerminal.run(
      Self.long, columns: 80, lines: 5, environment: ["PAGER": "head -n 2"], in: sandbox)
    // The user has seen enough: that is no error.
    #expect(found.status == 0 && found.screen.count == 3 && found.notes.isEmpty, "\(found)")
  }

  // MARK: Colours

  @Test
  func `are coloured, and not where NO_COLOR or an option forbids it`() throws {
    let screen = { (option: String, environment: [String: String]) in
      try TestTerminal.run(
        Self.long + option, columns: 80, lines: 24, environment: environment, in: Sandbox()
      ).screen.joined(separator: "\n")
    }
    let coloured = try screen("", [:])
    #expect(coloured.contains("\u{1B}[33mpartial\u{1B}[0m"))
    for plain in try [screen("", ["NO_COLOR": "1"]), screen(" --color never", [:])] {
      #expect(!plain.contains("\u{1B}") && plain.contains("partial"))
    }
    #expect(try screen(" --color always", ["NO_COLOR": "1"]) == coloured)
  }
}

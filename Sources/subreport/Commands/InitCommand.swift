import ArgumentParser
import CMemory
import Fetch
import Files
import Rendering
import Scanning

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Ask for folder, vendors and keys, try them, and write subreport.toml.",
    discussion: discussion(
      """
      Asks on a terminal for the folder of the archive, the vendor numbers, and ids and paths of \
      keys, which stay where they are. Makes the requests of fetch doctor, writes subreport.toml \
      with what the keys may read, and prints the line for cron and the units of systemd. A \
      subreport.toml that is there stays; then the settings are printed.
      """))

  private static let path = "subreport.toml"

  func run() throws {
    guard StandardStream.input.isTerminal, StandardStream.output.isTerminal else {
      throw UsageError(
        "init asks questions: run it in a terminal, or write [fetch] by hand (docs/fetching.md)")
    }
    subreport_hide_memory()
    let answers = ask()
    let block = Self.block(answers)
    let settings: Settings
    do {
      settings = Settings(of: try ConfigFile(Array(block.utf8), path: "the answers"))
    } catch {
      throw UsageError("\(error); begin again: subreport init")
    }
    say("\nEach is asked for once now:")
    let (reasons, kinds) = try FetchDoctor.examine(FetchSettings(settings, archive: nil), .standard)
    let names = kinds.sorted().map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    let archive = answers.first { $0.key == .archive }.map { Self.quoted($0.text[...]) } ?? ""
    try write(kinds.isEmpty ? block : block + "kinds = [\(names)]\n", archive)
    if !reasons.isEmpty {
      say("\nNot everything works yet. Mend what the lines above say, then: subreport fetch doctor")
    }
    say(Self.schedule)
    try ExitReason.end(reasons)
  }

  /// The answers by key, in the order of the questions.
  private func ask() -> [(key: FetchSettingKey, text: String)] {
    let questions: [(key: FetchSettingKey, text: String, usual: String)] = [
      (.archive, "Folder of the archive", "reports"),
      (.vendors, "Vendor number (top of Payments and Financial Reports; several: with blanks)", ""),
      (.issuerID, "Issuer id (Users and Access > Integrations > App Store Connect API)", ""),
      (.keyID, "Key id of the team key", ""),
      (.key, "Path of its .p8 file", ""),
      (.appKey, "Path of the In-App Purchase key, for notifications (blank: none)", ""),
      (.appKeyID, "Its key id", ""), (.appIssuerID, "Its issuer id", ""),
      (.bundleIDs, "Bundle ids of the apps (several: with blanks)", ""),
    ]
    var answers: [(key: FetchSettingKey, text: String)] = []
    let isOfApp: Set<FetchSettingKey> = [.appKeyID, .appIssuerID, .bundleIDs]
    for question in questions {
      if isOfApp.contains(question.key), !answers.contains(where: { $0.key == .appKey }) {
        continue
      }
      let end = question.usual.isEmpty ? ": " : " [\(question.usual)]: "
      try? StandardStream.output.write(Array((question.text + end).utf8))
      let line = (readLine() ?? "").split(separator: " ").joined(separator: " ")
      let text = line.isEmpty ? question.usual : Self.withoutTilde(line)
      if !text.isEmpty { answers.append((question.key, text)) }
    }
    return answers
  }

  /// Returns a path such as `~/AuthKey.p8` as the shell would write it.
  private static func withoutTilde(_ text: String) -> String {
    guard text.hasPrefix("~/"), let home = SystemProcess.environment("HOME") else { return text }
    return home + text.dropFirst()
  }

  private static func block(_ answers: [(key: FetchSettingKey, text: String)]) -> String {
    let lines = answers.map { key, text in
      let value =
        key.shape == .list
        ? "[\(text.split(separator: " ").map(quoted).joined(separator: ", "))]"
        : quoted(text[...])
      return "\(key.rawValue) = \(value)"
    }
    return (["[fetch]"] + lines).joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: Substring) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// Writes the settings, with the archive as the input of `report`.
  private func write(_ block: String, _ archive: String) throws {
    let text = "inputs = [\(archive)]\noutput = \"out\"\n\n" + block
    guard FileStatus(of: Self.path) == nil else {
      return say(
        "\n\(Self.path) is there and stays; add to it, and \(archive) to its inputs:\n\n\(block)")
    }
    do throws(OutputError) {
      try OutputFileSystem.writeNewFile(Self.path, parts: [Array(text.utf8)], mode: 0o600)
    } catch {
      throw Console.standard.failure(error.description, error.reason)
    }
    say("\nwrote \(Self.path)")
  }

  private func say(_ text: String) {
    try? StandardStream.output.write(Array((text + "\n").utf8))
  }

  private static var schedule: String {
    let folder = SystemProcess.folder ?? "FOLDER"
    let program = Self.program
    let command = "cd \(ShellWord.quoted(folder)) && \(ShellWord.quoted(program)) fetch --report"
    // cron takes a % as the end of the line, systemd as the beginning of a specifier.
    let unitFolder = folder.replacing("%", with: "%%")
    let unitProgram = quoted(program.replacing("%", with: "%%")[...])
    return """

      Every day at 09:30 Pacific Time; for cron, on a machine whose clock is UTC:
        30 17 * * * \(command.replacing("%", with: "\\%"))
      For systemd, in place of cron; then systemctl --user enable --now subreport.timer, and loginctl enable-linger:
        # ~/.config/systemd/user/subreport.service
        [Service]
        Type=oneshot
        WorkingDirectory=\(unitFolder)
        ExecStart=\(unitProgram) fetch --report
        # ~/.config/systemd/user/subreport.timer
        [Timer]
        OnCalendar=*-*-* 09:30 America/Los_Angeles
        Persistent=true
        [Install]
        WantedBy=timers.target
      """
  }

  /// The program's path: below a folder of `PATH`, whose link an update keeps; else its file.
  private static var program: String {
    let file = OutputFileSystem.resolved("/proc/self/exe")
    let folders = (SystemProcess.environment("PATH") ?? "").split(separator: ":")
    let paths = folders.filter { $0.first == "/" }.map { "\($0)/subreport" }
    return paths.first { OutputFileSystem.resolved($0) == file } ?? file ?? "subreport"
  }
}

import SubreportTestSupport
import Testing

/// Gives the program files, names and folders that somebody else has made to harm it.
@Suite("hostile files and names")
struct HostileFileTests {
  /// Reports of few subscribers in the folder `in`, nothing of them compressed.
  private static let world = Result {
    let sandbox = try Sandbox()
    let words = "simulate -o w --subscribers 60 --from 2026-05-01 --to 2026-07-31 --seed 5 --clean"
    try #require(try sandbox.run(words).status == 0)
    let script = "mkdir in; for f in w/subscriber/*; do zcat $f >in/$(basename $f .gz); done"
    try #require(
      try sandbox.runShell(script + "; zcat w/receipts/verify*0731* >d.jsonl; rm -r w").status == 0)
    return sandbox
  }

  private func world() throws -> Sandbox { try Sandbox(copyOf: Self.world.get()) }

  // MARK: Devices and pipes

  /// Options that name a file to read, each with a command that reads it.
  static let options = [
    "check in --config", "proceeds in --currency USD --rates", "check in --regions",
    "reconcile in --commissions", "price-impact in --plan", "price-impact in --price-changes",
    "chains d.jsonl --no-anonymize --identities", "access d.jsonl --no-anonymize --content",
    "check d.jsonl --verify --root-certificate", "history churn.churned --ledger",
    "report in -o o --ledger",
  ]

  @Test(arguments: options)
  func `a device, a pipe and a huge file are never read as the file of an option`(words: String)
    throws
  {
    let sandbox = try world()
    for file in ["/dev/zero", "pipe", "huge"] where file != "huge" || !words.contains("ledger") {
      let script = """
        [ -p pipe ] || mkfifo pipe; truncate -s 9G huge; (ulimit -v 1500000; "$0" --version) >/dev/null 2>&1 && ulimit -v 1500000; timeout 20 "$0" \(words) \(file); echo $?
        """
      let result = try sandbox.runShell(script)
      #expect(["2", "64"].contains(result.lines.last), "\(words) \(file): \(result.output)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(words): \(result.errors)")
      #expect(result.errors.contains(file), "\(result.errors)")
    }
  }

  @Test(arguments: ["identities", "rates", "root_certificate"])
  func `verify does not read a device that a manifest names`(option: String) throws {
    let sandbox = try world()
    try #require(try sandbox.run("report in -o o -q").status == 0)
    let path = sandbox.work + "/o/manifest.json"
    let text = try #require(Files.text(of: path))
    let entry =
      "{\"option\": \"\(option)\", \"path\": \"/dev/zero\", \"sha256\": \"\(String(repeating: "0", count: 64))\"}"
    let changed = text.replacing("\"option_files\": []", with: "\"option_files\": [\(entry)]")
    try #require(changed != text)
    try Files.write(Array(changed.utf8), to: path)
    let script =
      "(ulimit -v 3000000; \"$0\" --version) >/dev/null 2>&1 && ulimit -v 3000000; timeout 60 \"$0\" verify o in; echo $?"
    let result = try sandbox.runShell(script)
    #expect(result.lines.last == "1", "\(result.errors)")
    #expect(result.output.contains("not a regular file"), "\(result.output)")
  }

  // MARK: Names

  /// Characters that control a terminal or the direction of text.
  private static let harmful =
    Array(0x01...0x08) + [0x0B, 0x0C] + Array(0x0E...0x1F) + [0x7F] + Array(0x80...0x9F)
    + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E) + Array(0x2066...0x2069)

  /// Whether a text has one of them; line feeds are not looked for.
  private func isHarmful(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      Self.harmful.contains(Int($0.value)) || $0 == "\r" || $0 == "\t"
    }
  }

  @Test(arguments: [
    "report in -o o --force --brief", "report in -o o --force -v --cache c --changes /dev/stdout",
    "check in", "churn in --by product -f table --all-months", "churn in -f table",
    "movement in -f table", "drivers in --by product -f table",
    "explain churn.churned in --month 2026-06 -f table", "inspect in -f table",
    "churn in --product Nobody", "price-impact in -f table", "proceeds in --by product -f md",
  ])
  func `of products reach a terminal without control characters and marks`(words: String) throws {
    let sandbox = try world()
    for (index, path) in Files.paths(below: sandbox.work + "/in").enumerated() {
      var name = String.UnicodeScalarView()
      for value in [Self.harmful[index % Self.harmful.count], 0x1B, 0x202E, 0x9B] {
        name.append(Unicode.Scalar(UInt32(value)) ?? " ")
      }
      let text = Files.text(of: sandbox.work + "/in/" + path) ?? ""
      let changed = text.replacing("Plus Monthly", with: "Plus \(String(name))RED").replacing(
        "Larkspur\t", with: "Lark\(String(name))\t")
      try Files.write(Array(changed.utf8), to: sandbox.work + "/in/" + path)
    }
    for _ in 0..<2 {
      let result = try sandbox.run(words)
      #expect(!isHarmful(result.output), "\(words): \(result.output.debugDescription)")
      #expect(!isHarmful(result.errors), "\(words): \(result.errors.debugDescription)")
    }
    guard words.contains("report") else { return }
    let summary = Files.text(of: sandbox.work + "/o/summary.md") ?? ""
    #expect(!isHarmful(summary), "\(summary.debugDescription)")
    let page = Files.text(of: sandbox.work + "/o/index.html") ?? ""
    #expect(page.contains("RED"))
    // Texts of figures stand in isolates, in which a mark ends.
    let outside = page.replacing(/\u{2068}[^\u{2069}]*\u{2069}/, with: "")
    #expect(!outside.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
  }

  @Test
  func `of files with line ends are on one line everywhere`() throws {
    let sandbox = try world()
    let script = """
      cd in; for n in "$(printf 'a\\r\\nb.txt')" "$(printf 'c\\nd.txt')" "$(printf 'S_D_80012345_20260612\\r\\n.txt')"; do echo junk >"$n"; done; cd ..
      "$0" check in >1 2>&1; "$0" report in -o o >2 2>&1; "$0" inspect in -f table >3 2>&1
      "$0" check "$(printf 'in/c\\nd.txt')" >4 2>&1; "$0" check "$(printf 'none\\nthere')" >5 2>&1; true
      """
    try #require(try sandbox.runShell(script).status == 0)
    for name in ["1", "2", "3", "4", "5", "o/summary.md", "o/health.csv"] {
      let text = try #require(Files.text(of: sandbox.work + "/" + name))
      #expect(!text.utf8.contains(0x0D), "\\(name)")
      let lines = text.split(separator: "\n")
      #expect(
        lines.allSatisfy {
          !$0.hasPrefix("b.txt") && !$0.hasPrefix("d.txt") && !$0.hasPrefix("there")
        }, "\(text)")
    }
  }

  @Test
  func `of a thousand letters are compared in no time`() throws {
    let sandbox = try world()
    let paths = Files.paths(below: sandbox.work + "/in")
    for (index, path) in paths.enumerated() {
      let text = Files.text(of: sandbox.work + "/in/" + path) ?? ""
      let name = "Plus " + String(repeating: "abcdefghij", count: 100) + "\(index) \t"
      try Files.write(
        Array(text.replacing("Plus Monthly\t", with: name).utf8), to: sandbox.work + "/in/" + path)
    }
    let start = ContinuousClock.now
    let asked = "Plus " + String(repeating: "abcdefghik", count: 100)
    let result = try Program.run(["churn", "in", "--product", asked], in: sandbox)
    #expect(result.status == 64)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  // MARK: Installing

  @Test(arguments: [
    "/opt/a b", "/opt/100%", "/opt/a\"b", "/opt/it's", "/opt/$HOME", "/opt/a\\b", "/opt/a,b",
    "/opt/a&b",
    "/opt/a\nb", "/opt/a;b", "/opt/../x", "/opt/é",
  ])
  func `as PREFIX are refused by the job's installation in one line, before anything is written`(
    prefix: String
  ) throws {
    let sandbox = try Sandbox()
    let script = try #require(Files.bytes(of: Repository.root + "/Packaging/install.sh"))
    try Files.write(script, to: sandbox.work + "/kit/install.sh")
    let program = "#!/bin/sh\n"
    try Files.write(Array(program.utf8), to: sandbox.work + "/kit/bin/subreport")
    let result = try Program.run(
      ["-c", "chmod 755 kit/bin/subreport; sh kit/install.sh --job \"$0\"", prefix], program: "sh",
      in: sandbox)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.output == "")
  }

  @Test
  func `as a relative PREFIX are those of the folder in which the user is`() throws {
    let sandbox = try Sandbox()
    let script = try #require(Files.bytes(of: Repository.root + "/Packaging/install.sh"))
    try Files.write(script, to: sandbox.work + "/kit/install.sh")
    try Files.write(Array("#!/bin/sh\n".utf8), to: sandbox.work + "/kit/bin/subreport")
    try Files.write([], to: sandbox.work + "/kit/share/doc/subreport/README.md")
    let result = try sandbox.runShell(
      "chmod 755 kit/bin/subreport; sh kit/install.sh 'my own' && ls 'my own/bin' && sh kit/install.sh --uninstall './my own'; ls"
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.contains("subreport"), "\(result.output)")
    #expect(result.lines.last == "kit" || result.lines.last == "my own", "\(result.output)")
  }

  // MARK: Folders

  @Test
  func `of another user that stay as a staging folder are named, by every run`() throws {
    let sandbox = try world()
    let script = """
      [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || exit 0
      chmod 755 ../ .; chmod -R a+rX in; mkdir -m 777 pub; "$0" report in -o pub/out -q
      chmod a+rx "$(dirname "$0")"
      for i in 1 2; do setpriv --reuid=65534 --regid=65534 --clear-groups "$0" report in -o pub/out -q; done
      """
    let result = try sandbox.runShell(script)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.isEmpty || lines.count == 2, "\(result.errors)")
    #expect(lines.allSatisfy { $0.contains(".out.staging-") && $0.contains("user root") })
  }

  @Test
  func `that are links to nothing are said to be that`() throws {
    let sandbox = try world()
    for words in ["report in -o o --ledger link", "report in -o link", "churn in -o link"] {
      let result = try sandbox.runShell("ln -sf nowhere link; \"$0\" \(words)")
      #expect(result.status == 2, "\(words)")
      #expect(
        result.errors.contains("this link leads to something that does not exist"),
        "\(result.errors)")
      #expect(result.errors.hasSuffix("[dangling-link]\n"))
    }
  }
}

import Files
import Glibc
import Testing

@Suite struct OutputFolderTests {
  @Test
  func `writes every file at once and leaves nothing beside the folder`() throws {
    let sandbox = try OutputSandbox()
    var folder = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    #expect(folder.notes == [])
    try folder.add(name: "churn.csv", bytes: Array("a,b\n".utf8))
    try folder.add(name: "truth/chains.csv", bytes: [])
    try folder.add(name: "truth/deep/x.csv", bytes: Array("x\n".utf8))
    #expect(sandbox.names() == [".out.lock", ".out.staging-\(getpid())"])
    try folder.commit()
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.names(in: "out") == ["churn.csv", "truth"])
    #expect(sandbox.names(in: "out/truth") == ["chains.csv", "deep"])
    #expect(sandbox.read("out/churn.csv") == "a,b\n")
    #expect(sandbox.read("out/truth/chains.csv") == "")
    #expect(sandbox.read("out/truth/deep/x.csv") == "x\n")
  }

  @Test
  func `replaces an earlier output and keeps nothing of it`() throws {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "old"), ("truth/a.csv", "old")], to: sandbox.output)
    sandbox.setMode(0o750, "out")
    try commitOutput([("lapses.csv", "new")], to: sandbox.output)
    #expect(sandbox.names(in: "out") == ["lapses.csv", "manifest.json"])
    #expect(sandbox.read("out/lapses.csv") == "new")
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.mode("out") == 0o750)
  }

  @Test
  func `writes the same bytes when the same files are written twice`() throws {
    let sandbox = try OutputSandbox()
    let files = [(name: "churn.csv", text: "a\n"), (name: "summary.md", text: "# b\n")]
    try commitOutput(files, to: sandbox.output)
    let names = sandbox.names(in: "out")
    let texts = names.map { sandbox.read("out/" + $0) }
    try commitOutput(files, to: sandbox.output)
    #expect(sandbox.names(in: "out") == names)
    #expect(names.map { sandbox.read("out/" + $0) } == texts)
  }

  @Test
  func `leaves the folder as it was when it is not committed`() throws {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "old")], to: sandbox.output)
    do {
      var folder = try OutputFolder(path: sandbox.output, force: true, cleanup: OutputCleanup())
      try folder.add(name: "churn.csv", bytes: Array("new".utf8))
    }
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.read("out/churn.csv") == "old")
  }

  @Test
  func `takes an empty folder, and one whose path ends in a slash`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder("out")
    try commitOutput([("churn.csv", "a")], to: sandbox.output + "/")
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.names(in: "out") == ["churn.csv", "manifest.json"])
  }

  @Test
  func `replaces what a link names and keeps the link`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder("real")
    sandbox.makeLink("out", to: "real")
    try commitOutput([("churn.csv", "a")], to: sandbox.output)
    #expect(sandbox.names() == ["out", "real"])
    #expect(sandbox.read("real/churn.csv") == "a")
    #expect(sandbox.read("out/churn.csv") == "a")
  }

  @Test
  func `refuses a folder without a manifest that holds a file`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder("out")
    try sandbox.write("out/thesis.txt", "years of work")
    try sandbox.write("out/notes.txt", "")
    #expect(
      openingError(sandbox.output) == .foreignFile(folder: sandbox.output, file: "notes.txt"))
    #expect(sandbox.names(in: "out") == ["notes.txt", "thesis.txt"])
    #expect(sandbox.names() == ["out"])
  }

  static let foreignFiles: [(added: String, named: String)] = [
    ("notes.txt", "notes.txt"), (".DS_Store", ".DS_Store"), ("truth/mine.csv", "truth/mine.csv"),
    ("mine/churn.csv", "mine"),
  ]

  @Test(arguments: foreignFiles)
  func `refuses a folder with a file that its manifest does not list`(added: String, named: String)
    throws
  {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "a"), ("truth/chains.csv", "b")], to: sandbox.output)
    sandbox.makeFolder("out/mine")
    if !added.hasPrefix("mine") { _ = unsafe rmdir(sandbox.root + "/out/mine") }
    try sandbox.write("out/" + added, "mine")
    #expect(openingError(sandbox.output) == .foreignFile(folder: sandbox.output, file: named))
    #expect(sandbox.read("out/" + added) == "mine")
  }

  @Test
  func `refuses a folder whose manifest is cut off or another program's`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder("out")
    for text in ["{\"outputs\": [{\"path\": \"a.csv\"}", "{\"name\": \"web app\"}", ""] {
      try sandbox.write("out/manifest.json", text)
      #expect(
        openingError(sandbox.output)
          == .foreignFile(folder: sandbox.output, file: "manifest.json"))
    }
  }

  @Test
  func `replaces foreign files when forced, and says so`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder("out")
    sandbox.makeFolder("out/folder")
    try sandbox.write("out/folder/notes.txt", "")
    sandbox.makeLink("out/link", to: sandbox.root)
    var folder = try OutputFolder(path: sandbox.output, force: true, cleanup: OutputCleanup())
    #expect(folder.notes.count == 1)
    #expect(folder.notes.first?.contains("\"folder\"") == true)
    try folder.add(name: "churn.csv", bytes: [])
    try folder.commit()
    #expect(sandbox.names(in: "out") == ["churn.csv"])
    #expect(sandbox.names() == ["out"])
  }

  @Test
  func `refuses to commit over a file that appeared meanwhile`() throws {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "old")], to: sandbox.output)
    let folder = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    try sandbox.write("out/notes.txt", "mine")
    let error = committingError(folder)
    #expect(error == .foreignFile(folder: sandbox.output, file: "notes.txt"))
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.read("out/notes.txt") == "mine")
  }

  @Test(arguments: [false, true])
  func `refuses a path that names a file`(force: Bool) throws {
    let sandbox = try OutputSandbox()
    try sandbox.write("out", "a file")
    #expect(openingError(sandbox.output, force: force) == .notAFolder(path: sandbox.output))
    #expect(sandbox.read("out") == "a file")
    #expect(sandbox.names() == ["out"])
  }

  @Test
  func `refuses a folder whose parent does not exist, and a link to nothing`() throws {
    let sandbox = try OutputSandbox()
    let path = sandbox.root + "/missing/out"
    #expect(openingError(path) == .noParent(path: path))
    sandbox.makeLink("out", to: "missing")
    #expect(openingError(sandbox.output)?.code == "dangling-link")
    #expect(openingError("") == .noParent(path: ""))
  }

  @Test(arguments: [".", "..", "/"])
  func `refuses the working folder and those above it, even when forced`(path: String) throws {
    let error = try #require(openingError(path, force: true))
    #expect(error.code == "working-folder")
  }

  @Test
  func `refuses a mount point`() throws {
    #expect(openingError("/proc", force: true) == .mountPoint(path: "/proc"))
  }
}

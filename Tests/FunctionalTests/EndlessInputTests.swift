import Glibc
import SubreportTestSupport
import Testing

@Suite("inputs without an end, and runs that are ended")
struct EndlessInputTests {
  private static let device =
    "error: found a device, expected a file, a folder or a pipe [cannot-open]\n"

  @Test
  func `a device is refused, as an argument and as standard input`() throws {
    let sandbox = try Sandbox()
    let named = try Program.run(["inspect", "/dev/zero"], in: sandbox)
    #expect(named.status == 2 && named.errors == "/dev/zero: " + Self.device)
    let read = try Program.run(["inspect", "-"], input: "/dev/zero", in: sandbox)
    #expect(read.status == 2 && read.errors == "-: " + Self.device)
  }

  @Test
  func `a pipe or a device in a folder is an error, and stops nothing else`() throws {
    let sandbox = try Sandbox()
    try Files.write(Array("name,note\n".utf8), to: sandbox.work + "/in/notes.csv")
    try #require(unsafe mkfifo(sandbox.work + "/in/pipe", 0o600) == 0)
    try #require(unsafe symlink("/dev/zero", sandbox.work + "/in/zero") == 0)
    let result = try Program.run(["inspect", "in"], in: sandbox)
    let error =
      "error: found a pipe, a socket or a device, expected a file or a folder [cannot-open]\n"
    #expect(result.status == 2 && result.errors == "in/pipe: \(error)in/zero: \(error)")
    #expect(result.output.contains("in/notes.csv"))
  }

  @Test(arguments: [true, false])
  func `a simulation that is stopped leaves nothing`(isNew: Bool) throws {
    let sandbox = try Sandbox()
    if !isNew { try Files.makeFolders(sandbox.work + "/world") }
    let words = try ["-s", "TERM", "1", Program.path, "simulate", "-o", "world"]
    let result = try Program.run(
      words + ["--subscribers", "200000"], program: "timeout", in: sandbox)
    #expect(result.status == 124 && result.errors.isEmpty)
    let left = names(inFolder: sandbox.work)
    #expect(left == (isNew ? [] : ["world"]), "\(left)")
    #expect(names(inFolder: sandbox.work + "/world").isEmpty)
  }
}

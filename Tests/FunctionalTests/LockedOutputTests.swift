import Glibc
import SubreportTestSupport
import Testing

/// Runs the program while its output folder is locked, which a case cannot do.
@Suite("locked output")
struct LockedOutputTests {
  @Test
  func `ends a run at once with 5, whatever else is wrong`() throws {
    let sandbox = try Sandbox()
    let lock = sandbox.work + "/.out.lock"
    try Files.write(Array("4242\n".utf8), to: lock)
    let descriptor = unsafe open(lock, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)

    let result = try sandbox.run("report no-such-folder -o out")
    #expect(result.status == 5)
    #expect(result.stdout.isEmpty)
    let message = "another run (process 4242) is writing to this folder [output-locked]"
    #expect(result.errors == "out: error: \(message)\n")
    #expect(!Files.isFolder(sandbox.work + "/out"))
  }
}

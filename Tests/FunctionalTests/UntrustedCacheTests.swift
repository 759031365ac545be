import Glibc
import SubreportTestSupport
import Testing

/// Runs the program with a cache that is not the user's alone, which a case cannot have.
@Suite("a cache that others may have written to")
struct UntrustedCacheTests {
  private static let report = "report reports -o out --cache cache"

  @Test(arguments: ["", "CACHEDIR.TAG", "extracts", "runs", "tallies"])
  func `is refused with 64, and so is status`(name: String) throws {
    for mode: mode_t in [0o770, 0o702] {
      let sandbox = try Sandbox()
      _ = try run(Self.report, sandbox)
      let path = "cache" + (name.isEmpty ? "" : "/" + name)
      #expect(unsafe chmod(sandbox.work + "/" + path, mode) == 0)
      let message =
        "\(path): error: other users can write to this and change your numbers; remove the cache, or name another folder [cache-open-to-others]\n"
      for command in [Self.report, "cache status cache"] {
        let result = try run(command, sandbox)
        #expect(result.status == 64)
        #expect(result.errors == message)
        #expect(result.stdout.isEmpty)
      }
      #expect(try run("cache clear cache", sandbox).status == 0)
    }
  }

  @Test
  func `is refused for one entry`() throws {
    let sandbox = try Sandbox()
    _ = try run(Self.report, sandbox)
    for folder in ["extracts", "runs"] {
      let name = try #require(Files.paths(below: sandbox.work + "/cache/" + folder).first)
      let path = "cache/" + folder + "/" + name
      #expect(unsafe chmod(sandbox.work + "/" + path, 0o620) == 0)
      let result = try run("churn reports --cache cache", sandbox)
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix(path + ": error: other users can "))
      #expect(unsafe chmod(sandbox.work + "/" + path, 0o600) == 0)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `is refused where it belongs to another user`() throws {
    for name in ["", "/extracts", "/CACHEDIR.TAG"] {
      let sandbox = try Sandbox()
      _ = try run(Self.report, sandbox)
      #expect(unsafe chown(sandbox.work + "/cache" + name, 4242, 4242) == 0)
      let result = try run(Self.report, sandbox)
      #expect(result.status == 64)
      #expect(
        result.errors
          == "cache\(name): error: this belongs to user 4242, who could change your numbers; name a folder of your own [cache-of-another-user]\n"
      )
    }
  }

  @Test
  func `is none that was made of an empty folder of any mode: it is the user's alone then`() throws
  {
    let sandbox = try Sandbox()
    try Files.makeFolders(sandbox.work + "/cache")
    #expect(unsafe chmod(sandbox.work + "/cache", 0o777) == 0)
    #expect(try run(Self.report, sandbox).status == 0)
    var status = stat()
    _ = unsafe stat(sandbox.work + "/cache", &status)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  private func run(_ words: String, _ sandbox: Sandbox) throws -> Program.Result {
    let source = Repository.root + "/Tests/FunctionalTests/Cases/cache/made-anew/reports"
    for name in Files.paths(below: source) {
      try Files.write(
        Files.bytes(of: source + "/" + name) ?? [], to: sandbox.work + "/reports/" + name)
    }
    return try sandbox.run(words)
  }
}

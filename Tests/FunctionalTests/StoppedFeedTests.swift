import SubreportTestSupport
import Testing

/// Runs the nightly job while a kind of report has stopped: METRICS.md section 8, *A feed that stopped*.
@Suite("A feed that stopped")
struct StoppedFeedTests {
  private static let line = "subscriber reports stop on 2026-02-09; other reports go on to 2026-02-"

  /// A world of some weeks in `all`, and an empty folder `in`.
  private func world() throws -> Sandbox {
    let sandbox = try Sandbox()
    let world = "simulate -o all --subscribers 800 --from 2026-01-01 --to 2026-02-14 --clean"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/all/truth")
    return sandbox
  }

  /// Copies the reports of days up to one, of subscribers up to another.
  private func copy(until day: Int, subscribersUntil last: Int, in sandbox: Sandbox) throws {
    for path in Files.paths(below: sandbox.work + "/all") {
      let digits = path.split { !$0.isNumber }.first { $0.hasPrefix("2026") } ?? ""
      let limit = path.hasPrefix("subscriber/") ? min(day, last) : day
      guard let number = Int(digits), number <= 20_260_200 + limit else { continue }
      try Files.write(
        Files.bytes(of: sandbox.work + "/all/" + path) ?? [], to: sandbox.work + "/in/" + path)
    }
  }

  @Test
  func `the second night says so, once, and check as long as it is asked`() throws {
    let sandbox = try world()
    let job = "report in -o out -q --cache cache --changes changes.txt"
    var changes: [String] = []
    for night in 9...14 {
      try copy(until: night, subscribersUntil: 9, in: sandbox)
      let result = try sandbox.run(job)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      changes.append(Files.text(of: sandbox.work + "/changes.txt") ?? "")
      let check = try sandbox.run("check in")
      let isSaid = check.lines.filter { $0.hasPrefix(Self.line) }
      #expect(
        isSaid == (night < 11 ? [] : [Self.line + "\(night)"]), "\(check.lines)")
      #expect(check.status == (night < 11 ? 0 : 3), "\(check.lines)")
    }
    #expect(changes == ["", "", "since the last run: \(Self.line)11\n", "", "", ""])
    // As long as it lasts, the folder says so, and once.
    let summary = Files.text(of: sandbox.work + "/out/summary.md") ?? ""
    #expect(
      summary.ranges(of: "Subscriber reports stop on 9 February 2026: download the later ones.")
        .count == 1,
      "\(summary)")
    let days = Files.text(of: sandbox.work + "/out/days.csv") ?? ""
    #expect(days.contains("subscriber,80012345,2026-02-13,missing,,no,no file after 2026-02-09\n"))
    #expect(days.contains("subscriber,80012345,2026-02-14,pending,,no,\n"))
    let churn = Files.text(of: sandbox.work + "/out/churn.csv") ?? ""
    let row = churn.split(separator: "\n").first { $0.hasPrefix("subscribers,2026-02,") } ?? ""
    #expect(row.hasSuffix(",partial"), "\(churn)")
    let table = try sandbox.run("churn in --month 2026-02")
    #expect(table.errors.contains("note: \(Self.line)14\n"), "\(table.errors)")
    #expect(table.status == 0)

    try copy(until: 14, subscribersUntil: 14, in: sandbox)
    #expect(try sandbox.run(job).status == 0)
    #expect(
      Files.text(of: sandbox.work + "/changes.txt")
        == "since the last run: subscriber reports no longer stop on 2026-02-09\n")
  }

  @Test
  func `with --through ends with 3 where a daily kind does not reach the day`() throws {
    let sandbox = try world()
    try copy(until: 13, subscribersUntil: 13, in: sandbox)
    for (day, status) in [("2026-02-12", 0), ("2026-02-14", 0), ("2026-02-15", 3)] {
      for command in ["report in -o out -q", "check in", "churn in -q"] {
        let result = try sandbox.run("\(command) --through \(day)")
        #expect(result.status == status, "\(command) \(day): \(result.errors)\(result.lines)")
        let line = "subscriber reports stop on 2026-02-13; --through asks for \(day)"
        let said = (result.errors + result.output).split(separator: "\n").filter {
          $0.hasPrefix(line)
        }
        #expect(said.count == (status == 0 ? 0 : 1), "\(command) \(day)")
      }
    }
    let manifest = Files.text(of: sandbox.work + "/out/manifest.json") ?? ""
    #expect(manifest.contains("2026-02-15"))
    #expect(try sandbox.run("verify out in").status == 0)
    // Subscription reports can come five days late.
    let result = try sandbox.run("report in -o out -q --through 2026-02-18")
    #expect(!result.errors.contains("subscription reports stop"), "\(result.errors)")
    #expect(
      try sandbox.run("check in --through 2026-02-20").output.contains(
        "subscription reports stop on 2026-02-13; --through asks for 2026-02-20"))
    #expect(try sandbox.run("check in --through soon").status == 64)
  }

  @Test
  func `leaves movement without a comparison where not all who left are known`() throws {
    let sandbox = try Sandbox()
    let world =
      "simulate -o in --subscribers 300 --to 2026-04-30 --clean --kind subscriber"
    try #require(try sandbox.run(world).status == 0)
    for path in Files.paths(below: sandbox.work + "/in") where path.contains("_202603") {
      removeTree(sandbox.work + "/in/" + path)
    }
    let command = "movement in -q --month 2026-02 --against previous -f csv"
    let rows = try sandbox.run(command).lines.map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let place = try #require(rows[0].firstIndex(of: "close_observed_before"))
    #expect(rows[1][place - 1] != "" && rows[1][place] == "", "\(rows)")
  }

  @Test
  func `at the end of a month is what its status names, once`() throws {
    let sandbox = try world()
    try copy(until: 0, subscribersUntil: 0, in: sandbox)
    let result = try sandbox.run("report in -o out -q --through 2026-02-08")
    #expect(result.status == 3, "\(result.errors)")
    let summary = Files.text(of: sandbox.work + "/out/summary.md") ?? ""
    #expect(
      summary.contains(
        "Sales, Subscriber, Subscription and Subscription Event reports stop on 31 January 2026: download the later ones."
      ), "\(summary)")
    #expect(!summary.contains("near its first or last day"), "\(summary)")
  }

  @Test
  func `with --through yesterday asks the clock, and the manifest has the day`() throws {
    let sandbox = try world()
    try copy(until: 14, subscribersUntil: 14, in: sandbox)
    let result = try sandbox.run("report in -o out -q --through yesterday")
    #expect(result.status == 3, "\(result.errors)")
    let manifest = Files.text(of: sandbox.work + "/out/manifest.json") ?? ""
    #expect(!manifest.contains("yesterday") && manifest.contains("\"through\""))
    let verified = try sandbox.run("verify out in")
    #expect(verified.status == 0, "\(verified.lines)")
  }

  @Test
  func `steps and a cache write the same bytes`() throws {
    let sandbox = try world()
    try copy(until: 14, subscribersUntil: 9, in: sandbox)
    // A month without files too.
    removeTree(sandbox.work + "/in/subscriber")
    for path in Files.paths(below: sandbox.work + "/all/subscriber") where path.contains("202602") {
      guard !path.contains("2026021") else { continue }
      try Files.write(
        Files.bytes(of: sandbox.work + "/all/subscriber/" + path) ?? [],
        to: sandbox.work + "/in/subscriber/" + path)
    }
    for options in [
      "", " --as-of 2026-02-12", " --fiscal", " --country US", " --through 2026-03-01",
    ] {
      let script = """
        set -e
        rm -rf plain cached cache steps
        $0 report in -o plain -q\(options) || [ $? = 3 ]
        $0 report in -o cached -q --cache cache\(options) || [ $? = 3 ]
        $0 report in -o cached -q --cache cache\(options) || [ $? = 3 ]
        diff -r plain cached
        """
      let result = try sandbox.runShell(script)
      #expect(result.status == 0, "\(options): \(result.output) \(result.errors)")
    }
  }
}

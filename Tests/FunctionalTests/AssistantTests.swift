import Glibc
import SubreportTestSupport
import Testing

/// Asks `subreport mcp` as an assistant does, and as one that is broken.
@Suite("mcp")
struct AssistantTests {
  private static let python = Repository.root + "/.build/mcp-env/bin/python"
  static let hasClient = unsafe access(python, X_OK) == 0

  /// A sandbox with few reports in `in`, and their folder `out`.
  private static let world = Result {
    let sandbox = try Sandbox()
    let words = "simulate -o in --subscribers 60 --from 2026-04-01 --to 2026-07-31 --seed 5 --clean"
    try #require(try sandbox.run(words).status == 0)
    removeTree(sandbox.work + "/in/truth")
    try #require(try sandbox.run("report in -o out -q").status == 0)
    return sandbox
  }

  private func world() throws -> Sandbox { try Sandbox(copyOf: Self.world.get()) }

  private static let hello =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#

  /// Returns the answers to lines, after a greeting whose answer is checked and left out.
  private func answers(
    _ lines: [String], _ words: String = "mcp out", greets: Bool = true, in sandbox: Sandbox
  ) throws -> [String] {
    let path = sandbox.work + "/messages"
    let all = (greets ? [Self.hello] : []) + lines
    try Files.write(Array(all.map { $0 + "\n" }.joined().utf8), to: path)
    let result = try Program.run(shellWords(words), input: path, in: sandbox)
    #expect(result.status == 0, "\(result.errors)")
    if greets { #expect(result.lines.first?.contains(#""protocolVersion":"2025-06-18""#) == true) }
    return Array(result.lines.dropFirst(greets ? 1 : 0))
  }

  private static func call(_ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  /// Lines that are no good requests, each with a part of its answer; none for a line without an answer.
  static let lines: [(String, String?)] = [
    ("{bad", #""id":null,"error":{"code":-32700,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, #""id":null,"error":{"code":-32600,"#),
    (#""\ud800""#, #""error":{"code":-32700,"#),
    (String(repeating: "[", count: 100_000), #""error":{"code":-32700,"#),
    (String(repeating: "x", count: 3 << 20), #""error":{"code":-32600,"message":"the line has"#),
    ("[]", #""id":null,"error":{"code":-32600,"#),
    (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, #""id":null,"error":{"code":-32600,"#),
    ("7", #""error":{"code":-32600,"#),
    (#"{"id":1,"method":"ping"}"#, #""id":1,"error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, #""id":null,"error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, #""id":null,"error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":1}"#, #""id":1,"error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, #""id":1,"error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":"é\n","method":"nope"}"#, #""id":"é\n","error":{"code":-32601,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, #""error":{"code":-32601,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, #""error":{"code":-32602,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, #""error":{"code":-32600,"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, #""error":{"code":-32602,"#),
    (call("no_such_tool"), #""error":{"code":-32602,"#),
    (call("digest", "[]"), #""error":{"code":-32602,"#),
    (call("digest", #"{"x":1}"#), #""isError":true"#),
    (call("read_table", #"{"table":"churn","limit":-1}"#), #""isError":true"#),
    (call("read_table", #"{"table":"churn","where":{"month":{}}}"#), #""isError":true"#),
    ("", nil), ("  \r", nil),
    (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, nil),
    (#"{"jsonrpc":"2.0","method":"no/such/notification","params":{"a":[{}]}}"#, nil),
    (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, nil),
    (#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":2,"result":{}}"#),
  ]

  @Test
  func `answers each line by the protocol, and goes on`() throws {
    let sandbox = try world()
    let found = try answers(Self.lines.map(\.0), in: sandbox)
    let expected = Self.lines.compactMap(\.1)
    #expect(found.count == expected.count)
    for (answer, part) in zip(found, expected) {
      #expect(answer.contains(part), "\(answer.prefix(300)) has no \(part)")
      #expect(answer.hasPrefix(#"{"jsonrpc":"2.0","id":"#))
    }
  }

  @Test
  func `answers no request but ping before initialize`() throws {
    let sandbox = try world()
    let found = try answers(
      [
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Self.call("digest"),
        #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#,
      ], greets: false, in: sandbox)
    let parts = [
      #""id":1,"error":{"code":-32600"#, #""id":1,"error":{"code":-32600"#, #""id":2,"result":{}"#,
      #""protocolVersion":"2025-11-25""#, #""name":"read_table""#,
    ]
    #expect(found.count == parts.count)
    for (answer, part) in zip(found, parts) { #expect(answer.contains(part), "\(answer)") }
  }

  @Test
  func `reads arrays of messages in the one revision that has them`() throws {
    let sandbox = try world()
    let hello = Self.hello.replacing("2025-06-18", with: "2025-03-26")
    let ping = #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#
    let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    let found = try answers(
      [
        "[\(hello)]", hello, "[\(notification)]", "[\(ping), 7, \(notification), \(ping)]", "[]",
        "[\(Array(repeating: ping, count: 101).joined(separator: ","))]",
      ], greets: false, in: sandbox)
    let pong = #"{"jsonrpc":"2.0","id":2,"result":{}}"#
    try #require(found.count == 5)
    #expect(found[0].contains(#""id":null,"error":{"code":-32600,"#))
    #expect(found[1].contains(#""protocolVersion":"2025-03-26""#))
    #expect(found[2].hasPrefix("[\(pong),{") && found[2].hasSuffix("},\(pong)]"), "\(found[2])")
    for answer in found[3...] { #expect(answer.contains(#""id":null,"error":{"code":-32600,"#)) }
  }

  @Test
  func `knows the words of others, and says what the columns mean that are asked for`() throws {
    let sandbox = try world()
    let found = try answers(
      [
        Self.call("define_number", #"{"name":"MRR"}"#),
        Self.call("define_number", #"{"name":"Churn rate"}"#),
        Self.call("define_number", #"{"name":"LTV"}"#),
        Self.call("read_table", #"{"table":"churn","columns":"churn_rate"}"#),
        Self.call("read_table", #"{"table":"lifetime","month":"last"}"#),
      ], in: sandbox)
    let parts = [
      #"\"table\":\"recurring\""#, #"\"table\":\"churn\""#, "see lifetime",
      #"\"columns_mean\":{\"churn_rate\":\"churned / active_start.\"}"#, "choose a start_month",
    ]
    for (answer, part) in zip(found, parts) { #expect(answer.contains(part), "\(answer)") }
  }

  @Test(arguments: ["mcp out", "digest out"])
  func `says why a folder cannot be read as JSON, if it is asked to`(words: String) throws {
    let sandbox = try world()
    try #require(try sandbox.runShell("echo x >>out/digest.json; rm out/manifest.json").status == 0)
    let result = try sandbox.run("\(words) --log-format json")
    #expect(result.errors.hasPrefix(#"{"level":"error","message":""#), "\(result.errors)")
  }

  @Test
  func `sees a new folder, and refuses a changed file`() throws {
    let sandbox = try world()
    let call = Self.call("read_table", #"{"table":"churn","limit":1}"#)
    #expect(try answers([call], in: sandbox)[0].contains(#""isError":false"#))
    try #require(try sandbox.runShell("echo x >>out/churn.csv").status == 0)
    let changed = try answers([call], in: sandbox)[0]
    #expect(changed.contains("out/churn.csv: error: changed since report wrote it"))
    removeTree(sandbox.work + "/out")
    let result = try Program.run(["mcp", "out"], in: sandbox)
    #expect(result.status == 2 && result.stdout.isEmpty, "\(result.errors)")
  }

  @Test
  func `names no customer, and the command that repeats an answer works`() throws {
    let sandbox = try world()
    let explained = Self.call("explain_number", #"{"number":"churn.churned","limit":5}"#)
    let found = try answers([explained], "mcp in -q", in: sandbox)[0]
    #expect(found.contains(#""isError":false"#), "\(found)")
    let ids = try sandbox.runShell("zcat in/subscriber/*.gz | cut -f 22 | sort -u").lines
    #expect(ids.count > 10 && !ids.contains { $0.utf8.count > 8 && found.contains($0) })
    let command = try #require(found.components(between: #""command":""#, and: "\"").last)
    let words = shellWords(String(command))
    let again = try Program.run(Array(words.dropFirst()), in: sandbox)
    #expect(words[0] == "subreport" && again.status == 0, "\(command): \(again.errors)")
    let folder = try answers([explained], in: sandbox)[0]
    #expect(folder.contains("not explained here") && folder.contains("subreport explain"))
  }

  @Test
  func `refuses months that contradict each other, and repeats no column`() throws {
    let sandbox = try world()
    let churn = { (rest: String) in
      Self.call("read_table", #"{"table":"churn",\#(rest)}"#)
    }
    let repeated = Array(repeating: "month", count: 10_000).joined(separator: ",")
    let found = try answers(
      [
        churn(#""from":"2026-06","to":"2026-05""#), churn(#""month":"2026-05","from":"2026-04""#),
        churn(#""columns":"\#(repeated)""#),
        churn(#""month":"2026-05","where":{"source":"events"}"#),
        Self.call("read_table", #"{"table":"status","where":{"source":"snapshot"}}"#),
        Self.call("read_table", #"{"table":"trials"}"#),
      ], in: sandbox)
    #expect(found[0].contains(#""isError":true"#) && found[0].contains("is after"), "\(found[0])")
    #expect(found[1].contains(#""isError":true"#), "\(found[1])")
    #expect(found[2].contains(#""isError":false"#) && found[2].utf8.count < 10_000)
    #expect(found[3].contains("--source events --month 2026-05 -f csv"), "\(found[3])")
    #expect(found[4].contains("--source events --all-months -f csv"), "\(found[4])")
    #expect(found[5].contains("--all-months -f csv"), "\(found[5])")
  }

  @Test
  func `keeps hostile names as text in one line`() throws {
    let sandbox = try hostileReports()
    let call = Self.call(
      "read_table", #"{"table":"churn","by":"product","where":{"product":"-1+1"}}"#)
    let all = Self.call("read_table", #"{"table":"movement","by":"app"}"#)
    let found = try answers([call, all], "mcp in -q", in: sandbox)
    #expect(found.count == 2 && found[0].contains(#"\"-1+1\""#), "\(found)")
    #expect(found[1].contains("\u{202E}evil") && found[1].contains(#"\u001b[31m"#))
    #expect(found.allSatisfy { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } })
  }

  @Test(.enabled(if: Self.hasClient, "the protocol's client is not installed: make mcp-client"))
  func `gives the protocol's own client every cell of every table`() throws {
    for sandbox in [try world(), try hostileReports()] {
      let made = try sandbox.run("report in -o out -q")
      try #require(made.status == 0, "\(made.errors)")
      let script = Repository.root + "/Tests/Assistant/assistant_test.py"
      let result = try Program.run(
        [script, try Program.path, "in", "out"], program: Self.python, in: sandbox)
      #expect(result.status == 0, "\(result.errors.suffix(2000))")
      #expect(result.output.contains(" rows equal; "), "\(result.output)")
    }
  }
}

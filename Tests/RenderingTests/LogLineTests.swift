import Rendering
import Testing

@Suite("Messages as JSON")
struct LogLineTests {
  @Test(arguments: [
    (
      "in/a.txt:3:5: error: column \"Units\": found \"x\", expected a number [not-a-number]",
      #"{"level":"error","message":"column \"Units\": found \"x\", expected a number","file":"in/a.txt","line":3,"field":5,"code":"not-a-number"}"#
    ),
    (
      "in/a.txt:3: error: too short [too-few-fields]",
      #"{"level":"error","message":"too short","file":"in/a.txt","line":3,"code":"too-few-fields"}"#
    ),
    (
      "in/a.gz: error: a damaged end; download it again [gzip-truncated]",
      #"{"level":"error","message":"a damaged end; download it again","file":"in/a.gz","code":"gzip-truncated"}"#
    ),
    (
      "conf/subreport.toml:4:2: a key is given twice",
      #"{"level":"error","message":"a key is given twice","file":"conf/subreport.toml","line":4,"field":2}"#
    ),
    (
      "churn_rate is 0.1 (1 of 10) in 2026-09; the limit is 0.08 [fail-if]",
      #"{"level":"error","message":"churn_rate is 0.1 (1 of 10) in 2026-09; the limit is 0.08","code":"fail-if"}"#
    ),
    (
      "--where month=2026-01:3: no row",
      #"{"level":"error","message":"--where month=2026-01:3: no row"}"#
    ),
    (
      "since the last run: 2026-08: churn, events: 9 %, was 8 %",
      #"{"level":"error","message":"since the last run: 2026-08: churn, events: 9 %, was 8 %"}"#
    ),
    (
      #"plan ["a", "b"]"#, #"{"level":"error","message":"plan [\"a\", \"b\"]"}"#
    ),
  ])
  func `have file, line, field and code where a line of text has them`(text: String, json: String) {
    #expect(LogLine(text, .error).json == json)
  }

  @Test
  func `have the file that the caller names, whatever its name is`() {
    let name = "a:1: error: b.txt"
    let line = LogLine("\(name):2:7: error: no number [bad]", .error, path: name)
    #expect(
      line.json
        == #"{"level":"error","message":"no number","file":"a:1: error: b.txt","line":2,"field":7,"code":"bad"}"#
    )
    let whole = LogLine("\(name): error: is a folder [bad]", .error, path: name)
    #expect(
      whole.json
        == #"{"level":"error","message":"is a folder","file":"a:1: error: b.txt","code":"bad"}"#)
  }

  @Test
  func `say a level instead of a word before the message`() {
    #expect(
      LogLine("note: from events; --all-sources shows the others", .note).json
        == #"{"level":"note","message":"from events; --all-sources shows the others"}"#)
  }
}

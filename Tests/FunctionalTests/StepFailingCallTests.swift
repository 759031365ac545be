import Glibc
import SubreportTestSupport
import Testing

/// A step reads copies of files that another machine has read: what its own machine cannot do is no fault of a file.
@Suite("Steps with failing system calls", .enabled(if: FailingCalls.obstacle == nil))
struct StepFailingCallTests {
  private static let script = """
    set -eu
    "$0" simulate -o world --subscribers 20 --from 2026-01-01 --to 2026-02-28 --seed 3 --finance >/dev/null
    mkdir reports
    cp $(ls world/subscriber/* | head -n 2) $(ls world/receipts/* | head -n 2) reports
    for file in $(ls world/finance/region/* | head -n 2); do
      gzip -dc "$file" | head -c -1 >"reports/$(basename "$file" .gz)"
    done
    echo notes >reports/notes.txt
    "$0" step files reports >all
    "$0" step scout <all >scouted
    "$0" step plan reports --partitions 2 <scouted >plan
    cat plan all >planned
    """

  @Test(arguments: [("open", EMFILE), ("open", EIO), ("read", EIO), ("pread", EIO), ("lseek", EIO)])
  func `end with one line, or write what they write without the fault`(
    function: String, error: Int32
  ) throws {
    let sandbox = try Sandbox()
    let made = try sandbox.runShell(Self.script)
    try #require(made.status == 0, "\(made.errors)")
    for (step, input) in [("scout", "all"), ("extract", "planned")] {
      let words = ["step", step]
      let path = sandbox.work + "/" + input
      let sound = try FailingCalls.run(words, fault: nil, input: path, in: sandbox)
      try #require(sound.status == 0, "\(sound.stderr)")
      for number in places(1..<1 + (sound.counts[function] ?? 0)) {
        let fault = FailingCalls.Fault(function: function, number: number, error: error)
        let found = try FailingCalls.run(words, fault: fault, input: path, in: sandbox)
        if found.status == 0 {
          #expect(found.program.stdout == sound.program.stdout, "\(step), call \(number)")
        } else {
          #expect(
            found.status < 128 && found.stderr.split(separator: "\n").count == 1,
            "\(step), call \(number): \(found.stderr)")
        }
      }
    }
  }
}

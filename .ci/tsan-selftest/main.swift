// Shows that the thread sanitizer understands Locked of the target Storage, and still finds a race beside it.
// With the argument `locked` the program must end with 0, with `racing` the sanitizer must fail it.
import Dispatch

final class Tally: @unchecked Sendable {
  private let protected = Locked<[Int: [Int]]>([:])
  private var unprotected = 0

  func addLocked(_ value: Int) {
    protected.withLock { $0[value % 7, default: []].append(value) }
  }

  func addRacing(_ value: Int) {
    unprotected += value
  }
}

let tally = Tally()
let isRacing = CommandLine.arguments.contains("racing")
DispatchQueue.concurrentPerform(iterations: 4) { _ in
  for value in 0..<50_000 {
    tally.addLocked(value)
    if isRacing { tally.addRacing(value) }
  }
}

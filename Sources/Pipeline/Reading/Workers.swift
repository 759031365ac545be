import Scanning
import Synchronization

/// Runs items on several threads, each with a state of its own.
package enum Workers {
  /// Hands out item numbers until none is left.
  ///
  /// Every thread makes one state, works on the items it gets, and ends with one result. The results
  /// come in no order, so what is made from them must not depend on it.
  ///
  /// - Parameters:
  ///   - count: How many items there are.
  ///   - jobs: How many threads at most; fewer where the system has no more.
  ///   - makeState: Makes a thread's state.
  ///   - work: Does one item.
  ///   - finish: Turns a thread's state into its result.
  /// - Returns: The results of all threads.
  package static func run<State: ~Copyable, Result: Sendable>(
    count: Int, jobs: Int, makeState: @Sendable () -> State,
    work: @Sendable (inout State, Int) -> Void, finish: @Sendable (consuming State) -> Result
  ) -> [Result] {
    let next = Atomic(0)
    let results = Locked<[Result]>([])
    let threads = max(1, min(jobs, count))
    SystemThread.run(threads) {
      var state = makeState()
      while true {
        let item = next.add(1, ordering: .relaxed).oldValue
        guard item < count else { break }
        work(&state, item)
      }
      let result = finish(state)
      results.withLock { $0.append(result) }
    }
    return results.withLock { $0 }
  }

  /// Makes something of each item.
  ///
  /// - Parameters:
  ///   - count: How many items there are.
  ///   - jobs: How many threads at most.
  ///   - make: What becomes of an item.
  /// - Returns: What became of each, in order.
  static func map<Made: Sendable>(
    count: Int, jobs: Int, _ make: @Sendable (Int) -> Made
  ) -> [Made] {
    let parts = run(
      count: count, jobs: jobs, makeState: { [(item: Int, made: Made)]() },
      work: { $0.append(($1, make($1))) }, finish: { $0 })
    return parts.joined().sorted { $0.item < $1.item }.map(\.made)
  }
}

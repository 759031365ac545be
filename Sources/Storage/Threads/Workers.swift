import Synchronization

/// Does numbered items of work on several threads, each with its own state.
package enum Workers {
  /// Does each item once, on the next thread that is free.
  ///
  /// Each thread creates one state, takes item numbers until none is left, and returns one result.
  /// The results are unordered, so combining them must not depend on their order.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - jobs: The maximum number of threads; fewer if the system cannot start them.
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

  /// Computes a value for each item.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - jobs: The maximum number of threads.
  ///   - make: Computes the value of an item.
  /// - Returns: The values, in the order of the items.
  package static func map<Value: Sendable>(
    count: Int, jobs: Int, _ make: @Sendable (Int) -> Value
  ) -> [Value] {
    let parts = run(
      count: count, jobs: jobs, makeState: { [(item: Int, made: Value)]() },
      work: { $0.append(($1, make($1))) }, finish: { $0 })
    return parts.joined().sorted { $0.item < $1.item }.map(\.made)
  }
}

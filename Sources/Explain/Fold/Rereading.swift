import Pipeline
import Storage

extension KeptCharges.LineError {
  /// A thread's state, with the first error.
  private struct Guarded<State: ~Copyable>: ~Copyable {
    var state: State
    var error: KeptCharges.LineError?

    consuming func end<Found>(
      _ finish: (consuming State) -> Found
    ) -> (found: Found, error: KeptCharges.LineError?) {
      let error = error
      return (finish(state), error)
    }
  }

  /// Reads files again, several at once: see ``Workers/run(count:jobs:makeState:work:finish:)``.
  ///
  /// - Throws: The error of the first file in path order that cannot be read again, whichever thread found it.
  static func reread<State: ~Copyable, Found: Sendable>(
    _ files: [Int], jobs: Int, makeState: @Sendable () -> State,
    work: @Sendable (inout State, Int) throws(KeptCharges.LineError) -> Void,
    finish: @Sendable (consuming State) -> Found
  ) throws(KeptCharges.LineError) -> [Found] {
    let parts = Workers.run(
      count: files.count, jobs: jobs, makeState: { Guarded(state: makeState(), error: nil) },
      work: { one, place in
        do throws(KeptCharges.LineError) {
          try work(&one.state, files[place])
        } catch {
          one.error = one.error ?? error
        }
      }, finish: { $0.end(finish) })
    let errors = parts.compactMap(\.error).sorted { $0.path.precedes($1.path) }
    if let error = errors.first { throw error }
    return parts.map(\.found)
  }
}

import CZlib
import Dispatch
import Glibc
import Synchronization

/// Inflates gzip files to nowhere: the floor under which no reader of them can get.
///
/// `inflate-floor -j THREADS FILE…` prints how many bytes and line feeds the files hold. The line
/// feeds are only counted with `--lines`, because looking at the text is no part of the floor.
@main
struct InflateFloor {
  /// What files hold once they are inflated.
  struct Total: Sendable {
    var bytes = 0
    var lines = 0
  }

  static func main() {
    var (threads, countsLines, paths) = (1, false, [String]())
    var words = CommandLine.arguments.dropFirst().makeIterator()
    while let word = words.next() {
      switch word {
      case "-j": threads = words.next().flatMap(Int.init) ?? 1
      case "--lines": countsLines = true
      default: paths.append(word)
      }
    }
    let total = inflateAll(paths, threads: threads, countsLines: countsLines)
    print(countsLines ? "\(total.bytes) \(total.lines)" : "\(total.bytes)")
  }

  /// Inflates files on several threads, each of which takes the next file when it is done with one.
  private static func inflateAll(_ paths: [String], threads: Int, countsLines: Bool) -> Total {
    let next = Atomic(0)
    let totals = Mutex<[Total]>([])
    DispatchQueue.concurrentPerform(iterations: max(1, threads)) { _ in
      var inflater = FileInflater(countsLines: countsLines)
      while case let index = next.add(1, ordering: .relaxed).oldValue, index < paths.count {
        inflater.inflate(paths[index])
      }
      let total = inflater.total
      totals.withLock { $0.append(total) }
    }
    return totals.withLock { totals in
      totals.reduce(into: Total()) { sum, total in
        sum.bytes += total.bytes
        sum.lines += total.lines
      }
    }
  }
}

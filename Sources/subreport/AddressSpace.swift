#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The limit of the program's address space, `ulimit -v`.
///
/// Swift ends a program when memory runs out (`CMemory` says so in one line), and cannot test for it beforehand. So a
/// limit that is too small is an error at the start, and a small one means fewer threads.
enum AddressSpace {
  /// Bytes that `report` needs on a few thousand rows with one thread: 116 MiB on `sample-reports`, and some more.
  static let least = 120 << 20
  /// The bytes that each further thread reserves: 8 MiB for its stack and 64 MiB for its allocations.
  static let perThread = 72 << 20

  /// The limit in bytes; `nil` without one.
  static var limit: Int? {
    var limit = rlimit()
    // Safe: the call writes this one value only.
    guard unsafe getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// The error message for a limit that is too small; `nil` when it is large enough.
  static var obstacle: String? {
    guard let limit, limit < least else { return nil }
    return """
      not enough memory: the limit of address space (ulimit -v) is \(limit >> 10) KiB, expected \
      \(least >> 10) KiB or more [not-enough-memory]
      """
  }

  /// The largest number of threads that the limit has room for; `nil` without one.
  static var mostThreads: Int? { limit.map { max(1, ($0 - least) / perThread + 1) } }

  /// Keeps the C library from reserving 64 MiB for each of more threads than the limit has room for.
  ///
  /// Threads that only read ahead or wait would get them too, wherever the address space happens to have a gap at a
  /// multiple of 64 MiB. Example: of 150 reports under a limit of 120,000 KiB, 6 ran out of memory.
  static func limitReservations() {
    // Only the GNU library reserves so much. Its `mallopt` is in no module of Swift.
    guard let mostThreads, let symbol = unsafe dlsym(nil, "mallopt") else { return }
    typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
    let setOption = unsafe unsafeBitCast(symbol, to: SetOption.self)
    _ = setOption(mostArenas, Int32(clamping: mostThreads))
  }

  /// `M_ARENA_MAX` of `malloc.h`.
  private static let mostArenas: Int32 = -8
}

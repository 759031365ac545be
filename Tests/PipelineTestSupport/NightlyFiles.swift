package import SubreportTestSupport

/// The reports of one installation from night to night, and the cache beside them.
package struct NightlyFiles {
  package typealias Report = (name: String, bytes: [UInt8])

  package let sandbox: CacheSandbox
  package var random: SeededGenerator
  /// Reports that have not come yet.
  private var ahead: ArraySlice<Report>
  private var files: [String: [UInt8]] = [:]

  package init(seed: UInt64, ahead: [Report]) throws {
    sandbox = try CacheSandbox()
    random = SeededGenerator(seed: seed)
    self.ahead = ahead[...]
  }

  /// Creates the reports of one of some worlds, which come in the order of their days; some are there.
  ///
  /// - Parameters:
  ///   - seed: What chance begins with; it also chooses the world.
  ///   - worlds: The worlds.
  ///   - first: How many reports are there before the first night.
  /// - Throws: What keeps files from being written.
  package init(seed: UInt64, worlds: [SimulatedReports], first: Range<Int>) throws {
    let reports = worlds[Int(seed) % worlds.count].reports.map { (name: $0.key, bytes: $0.value) }
    try self.init(
      seed: seed,
      ahead: reports.sorted { (dateInName($0.name), $0.name) < (dateInName($1.name), $1.name) })
    try add(Int.random(in: first, using: &random))
  }

  /// The first file by name.
  package var first: String? { files.keys.min() }

  /// Any of the files.
  package mutating func any() -> Report? {
    files.keys.sorted().randomElement(using: &random).map { ($0, files[$0] ?? []) }
  }

  /// Lets the next reports come.
  package mutating func add(_ count: Int) throws {
    for _ in 0..<count {
      guard let report = leaveOut() else { return }
      try put(report.name, report.bytes)
    }
  }

  /// Takes the next report out of those that come.
  package mutating func leaveOut() -> Report? { ahead.popFirst() }

  /// Writes a file, or removes it when it has no bytes.
  package mutating func put(_ name: String, _ bytes: [UInt8]?) throws {
    files[name] = bytes
    if let bytes { try sandbox.write(name, bytes) } else { sandbox.remove(name) }
  }

  /// Returns a later version of a report: a row is gone, is there twice, or says something else.
  package mutating func restated(
    _ bytes: [UInt8], _ change: (inout [UInt8], inout SeededGenerator) -> Void
  ) -> [UInt8] {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    guard lines.count > 1 else { return bytes }
    let index = Int.random(in: 1..<lines.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: lines.remove(at: index)
    case 1: lines.append(lines[index])
    default: change(&lines[index], &random)
    }
    return Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
  }
}

/// The date in a report's name.
private func dateInName(_ name: String) -> Substring {
  name.split(separator: "_").first { $0.count == 8 && $0.allSatisfy(\.isNumber) && $0 > "2020" }
    ?? ""
}

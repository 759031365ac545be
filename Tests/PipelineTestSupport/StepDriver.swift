import Files
package import Pipeline
import ReportCache
package import Steps
package import SubreportTestSupport

/// Runs the steps of a divided run in this process, as an engine would run them in many.
package struct StepDriver {
  /// The program's version in frames.
  package static let version = "1.2.3"

  package let plan: RunPlan
  package let partitionCount: Int
  package let taskCount: Int
  /// Shuffles files, tasks and frames; `nil` to keep their order.
  package var random: SeededGenerator?
  /// The partitions that have charges, and those that have receipts, after a run.
  package private(set) var occupied: [Frame.Kind: Set<Int>] = [:]
  /// Changes the frames that a step reads, to make faults.
  package var change: ([Frame]) -> [Frame] = { $0 }

  /// A cache from which the run begins; `nil` to read all files.
  package var cache: String?
  /// Whether the run writes the entries of the files that it reads.
  package var writesEntries = false
  /// These entries, after a run.
  package private(set) var entries: [Frame] = []
  /// The numbers of files that were scouted and read in a run.
  package private(set) var wholeFiles = (scouted: 0, read: 0)

  package init(
    _ plan: RunPlan, partitions: Int = 2, tasks: Int = 2, random: SeededGenerator? = nil
  ) {
    self.plan = plan
    partitionCount = partitions
    taskCount = tasks
    self.random = random
  }

  /// Runs all steps on the files of a folder.
  package mutating func result(_ folder: String) throws -> RunResult {
    let files = shuffled(try found(folder))
    wholeFiles.scouted = files.count { $0.label.kind == .file }
    let scouted = try tasks(files).flatMap { task in
      var source = self.source(task)
      return try Scout.frames(&source)
    }
    var source = self.source(scouted)
    let first = try Planning.frame(
      [1, 2, 3], plan, partitionCount: partitionCount, cores: 1, &source)
    let planned = try shuffled(planned(folder, first) ?? files)
    wholeFiles.read = planned.count { $0.label.kind == .file }
    let written = shuffled(
      try tasks(planned).flatMap { task in
        var source = self.source([first] + task)
        var frames: [Frame] = []
        try Extraction.run(makePlan, &source, writesEntries: writesEntries) { frames.append($0) }
        return frames
      })
    entries = written.filter { $0.label.kind == .entries }
    let extracts = written.filter { $0.label.kind != .entries }
    let read = extracts.filter { $0.label.kind == .files }
    source = self.source([first] + read)
    let complete = try Planning.completeFrame(makePlan, &source)
    let pieces = try extracts + receipts(complete, extracts.filter { $0.label.kind == .responses })
    occupied = pieces.reduce(into: [:]) { occupied, frame in
      guard let partition = frame.label.partition else { return }
      occupied[frame.label.kind, default: []].insert(partition)
    }
    let instalments = try merged(complete, .instalments, [], extracts)
    let counts = try merged(complete, .counts, [instalments], pieces)
    let results = [complete] + read + [instalments, counts]
    source = self.source(results)
    let prices = try Finishing.prices(makePlan, &source)
    let impact = try merged(complete, .prices, [instalments, prices], pieces)
    source = self.source(results + [prices, impact])
    return try Finishing.result(makePlan, &source)
  }

  /// Runs the plan as a whole, and in steps.
  ///
  /// - Parameter folder: The only input.
  /// - Returns: The run as a whole, and the names of the files that differ.
  /// - Throws: What the steps throw.
  package mutating func comparison(
    _ folder: String
  ) throws -> (run: RunOutcome, differences: [String]) {
    let run = try RunOutcome(Run.carryOut(plan))
    let found = try RunOutcome(result(folder))
    let names = Set(run.files.keys).union(found.files.keys).sorted()
    return (run, names.filter { run.files[$0] != found.files[$0] })
  }

  /// The options of the run, as each step reads them from the plan.
  package func makePlan(_ settings: [UInt8]) throws -> RunPlan {
    precondition(settings == [1, 2, 3], "the options are those of the plan")
    return plan
  }

  /// Returns the files of a folder as frames.
  package static func files(_ folder: String) throws -> [Frame] {
    try InputListing.list([folder]).files.map(frame)
  }

  /// Returns a file as a frame.
  private static func frame(_ file: InputFile) throws -> Frame {
    guard let frame = FileFrame.frame(reading: file) else { throw Files.Failure("read", file.path) }
    return frame
  }

  /// Returns the files of a folder, or what the cache has of them.
  private func found(_ folder: String) throws -> [Frame] {
    guard let cache else { return try Self.files(folder) }
    let input = try CachedInput(path: cache, version: Self.version, inputs: [folder])
    var frames: [Frame] = []
    try CachedFileFrames.found(InputListing.list([folder]).files, input) { file, frame in
      frames.append(try frame ?? Self.frame(file))
    }
    return frames
  }

  /// Returns the files of a folder, or entries of the cache in their place; `nil` without a cache.
  private func planned(_ folder: String, _ plan: Frame) throws -> [Frame]? {
    guard let cache else { return nil }
    let input = try CachedInput(path: cache, version: Self.version, inputs: [folder])
    var source = self.source([plan])
    var frames: [Frame] = []
    try CachedFileFrames.planned(
      InputListing.list([folder]).files, input, makePlan, &source
    ) { file, frame in
      frames.append(try frame ?? Self.frame(file))
    }
    return frames
  }

  /// Stores the entries of the last run in a cache.
  package func storeEntries(in cache: String) throws -> Int {
    var source = self.source(entries)
    return try EntriesFrame.store(in: cache, version: Self.version, &source)
  }

  /// Joins responses in two rounds, and divides them among partitions.
  private mutating func receipts(_ plan: Frame, _ responses: [Frame]) throws -> [Frame] {
    let joins = try tasks(shuffled(responses)).map { task in
      var source = self.source([plan] + task)
      return try Joining.frame(makePlan, &source)
    }
    var source = self.source([plan] + shuffled(joins))
    let joined = try Joining.frame(makePlan, &source)
    return try tasks(shuffled(responses)).flatMap { task in
      var source = self.source([plan, joined] + task)
      return try Joining.divided(makePlan, &source)
    }
  }

  /// Folds each partition, and merges the results in two rounds.
  private mutating func merged(
    _ plan: Frame, _ pass: Folding.Pass, _ before: [Frame], _ extracts: [Frame]
  ) throws -> Frame {
    // Every second step folds two partitions.
    let folded = try stride(from: 0, to: partitionCount, by: 3).flatMap { first in
      let groups = [[first], [first + 1, first + 2].filter { $0 < partitionCount }]
      return try groups.filter { !$0.isEmpty }.map { group in
        let own = group.flatMap { partition in
          shuffled(extracts.filter { $0.label.partition == partition })
        }
        var source = self.source([plan] + before + own)
        return try Folding.frame(makePlan, pass, partitions: group, &source)
      }
    }
    let parts = try tasks(shuffled(folded)).filter { !$0.isEmpty }.map { part in
      var source = self.source([plan] + part)
      return try Folding.mergedFrame(makePlan, &source)
    }
    var source = self.source([plan] + parts)
    return try Folding.mergedFrame(makePlan, &source)
  }

  private func tasks(_ frames: [Frame]) -> [[Frame]] {
    (0..<taskCount).map { task in
      frames.indices.filter { $0 % taskCount == task }.map { frames[$0] }
    }
  }

  private mutating func shuffled(_ frames: [Frame]) -> [Frame] {
    guard var random else { return frames }
    defer { self.random = random }
    return frames.shuffled(using: &random)
  }

  /// Returns frames as a step reads them: from their bytes.
  private func source(_ frames: [Frame]) -> FrameSource {
    Self.source(change(frames).flatMap { $0.parts(version: Self.version).joined() })
  }

  /// Returns the frames in bytes.
  package static func source(_ bytes: [UInt8]) -> FrameSource {
    var rest = bytes[...]
    return FrameSource(version: version) { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }
}

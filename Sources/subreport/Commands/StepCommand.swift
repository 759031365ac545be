import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
import ReportCache
import Scanning
import Steps
import Storage

struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: "Run one step of report, for a run that is divided among machines.",
    discussion: discussion(
      """
      Each step reads frames on standard input and writes frames on standard output; the last one \
      writes the folder of report, byte for byte. docs/scale.md has the order of the steps, the \
      format of frames, and what steps do not support yet.
      """,
      HelpExample("The files of a folder, as frames for scout and extract:", "step files reports"),
      HelpExample("Only those of one task:", "step files reports/sales")),
    subcommands: [
      StepFiles.self, StepPick.self, StepScout.self, StepPlan.self, StepExtract.self,
      StepJoin.self, StepDivide.self, StepFold.self, StepMerge.self, StepFinish.self,
      StepCache.self,
    ])
}

struct StepPick: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick", abstract: "Frames → those of one kind, or of one partition.")

  @Argument(help: ArgumentHelp("The kind, such as files or charges.", valueName: "kind"))
  var kind: String?

  @Option(help: ArgumentHelp("Only frames of this partition.", valueName: "n"))
  var partition: Int?

  func validate() throws {
    guard let kind else {
      guard partition == nil else { return }
      throw UsageError("step pick needs a kind of frames, or --partition")
    }
    guard Frame.Kind(rawValue: kind) == nil else { return }
    throw UsageError(
      "step pick \(kind): \(Nearest.advice(kind, among: Frame.Kind.allCases.map(\.rawValue)))")
  }

  func run() throws {
    try withFrames { frames in
      while let frame = try frames.next() {
        guard kind == nil || frame.label.kind.rawValue == kind,
          partition == nil || frame.label.partition == partition
        else { continue }
        try write([frame])
      }
    }
  }
}

struct StepFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "Write the files of a folder as frames.")

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "input"), completion: .file())
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "A cache: of files that it has, write for scout only what they are.", valueName: "dir"),
    completion: .directory)
  var cache: String?

  @Flag(help: "The plan is on standard input: write for extract the entries of the cache.")
  var planned = false

  func validate() throws {
    guard planned, cache == nil else { return }
    throw UsageError("--planned needs --cache, the folder with the entries")
  }

  func run() throws {
    try withFrames { frames in
      let cached = try cache.map {
        try CachedInput(path: $0, version: Subreport.version, inputs: inputs)
      }
      let files = try listed(excluding: cached?.folderPath)
      guard let cached else {
        for file in files { try write(file, nil) }
        return
      }
      guard planned else { return try CachedFileFrames.found(files, cached, write: write) }
      try CachedFileFrames.planned(files, cached, StepSettings.plan, &frames, write: write)
    }
  }

  private func listed(excluding folder: String?) throws -> [InputFile] {
    let (files, errors, _) = InputListing.list(inputs, and: folder)
    for error in errors {
      Console.standard.error("\(error.path): error: \(error.message) [\(error.code)]")
    }
    guard errors.isEmpty else { throw ExitCode(.unusableInput) }
    for (file, next) in zip(files, files.dropFirst())
    where !file.relativePath.utf8.lexicographicallyPrecedes(next.relativePath.utf8) {
      // The plan sorts files by their paths, which would be another order than that of report.
      throw StepError(
        .unsupported,
        "steps do not support inputs that have files of the same path, such as \(next.shownPath)")
    }
    return files
  }

  /// Writes a frame; without one the file.
  private func write(_ file: InputFile, _ frame: Frame?) throws {
    if let frame { return try subreport.write([frame]) }
    guard let frame = FileFrame.frame(reading: file) else {
      // The next step must not take the frames before this file for all of them.
      try StandardStream.output.write([0])
      throw Console.standard.failure("\(file.shownPath): error: cannot read the file [cannot-read]")
    }
    try subreport.write([frame])
  }
}

struct StepScout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scout", abstract: "Files → what each of them is.")

  func run() throws {
    try withFrames { frames in
      try write(try Scout.frames(&frames))
    }
  }
}

struct StepPlan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "What the files are, and the options of report → the plan for all later steps.")

  @Option(
    help: ArgumentHelp(
      "The number of partitions of subscribers and customers. Default: twice the cores, or one for each 250,000 charges if that is more.",
      valueName: "n"))
  var partitions: Int?

  @Option(
    help: ArgumentHelp("The cores of all machines. Default: those of this one.", valueName: "n"))
  var cores: Int?

  @Flag(help: "Complete a plan: it comes first, then the frames \"files\" of all extracts.")
  var complete = false

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "The inputs and options of report; inputs are only named, not read.", valueName: "report"))
  var call: [String] = []

  func validate() throws {
    let most = Planning.mostPartitions
    for (name, number) in [("--partitions", partitions), ("--cores", cores)] {
      guard let number, !(1...most).contains(number) else { continue }
      throw UsageError("\(name) \(number): use a number from 1 to \(most)")
    }
    guard complete || !call.isEmpty else {
      throw UsageError(
        "step plan needs the inputs and options of report, such as: step plan reports")
    }
    guard !complete || call.isEmpty else {
      throw UsageError("--complete takes no other argument: the plan has the options already")
    }
  }

  func run() throws {
    try withFrames { frames in
      guard !complete else {
        return try write([try Planning.completeFrame(StepSettings.plan, &frames)])
      }
      let settings = try StepSettings(ofReport: call)
      let frame = try Planning.frame(
        settings.bytes, try StepSettings.plan(settings.bytes), partitionCount: partitions,
        cores: cores ?? Processors.count, &frames)
      try write([frame])
    }
  }
}

struct StepExtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Plan, files → their content, their charges by partition, and responses of receipts.")

  @Flag(help: "Also write the entries that a cache stores of these files.")
  var entries = false

  func run() throws {
    try withFrames { frames in
      try Extraction.run(StepSettings.plan, &frames, writesEntries: entries) { try write([$0]) }
    }
  }
}

struct StepJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Complete plan, responses of receipts → which of their ids belong to one customer.")

  func run() throws {
    try withFrames { frames in
      try write([try Joining.frame(StepSettings.plan, &frames)])
    }
  }
}

struct StepDivide: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "divide",
    abstract: "Complete plan, joins, responses of receipts → those of each partition.")

  func run() throws {
    try withFrames { frames in
      try write(try Joining.divided(StepSettings.plan, &frames))
    }
  }
}

struct StepFold: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fold",
    abstract: "Complete plan, charges and receipts of partitions → their counts.")

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A partition, from 0; repeat for more, in the order of their frames.", valueName: "n"))
  var partition: [Int]

  @Flag(help: "The first pass: find only which products are sold in instalments.")
  var instalments = false

  @Flag(help: "The last pass: count who met a price increase.")
  var prices = false

  func validate() throws {
    guard !instalments || !prices else {
      throw UsageError("--instalments and --prices are two passes")
    }
  }

  func run() throws {
    let pass: Folding.Pass = instalments ? .instalments : prices ? .prices : .counts
    try withFrames { frames in
      try write([try Folding.frame(StepSettings.plan, pass, partitions: partition, &frames)])
    }
  }
}

struct StepMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Complete plan, results of folds → one result.")

  func run() throws {
    try withFrames { frames in
      try write([try Folding.mergedFrame(StepSettings.plan, &frames)])
    }
  }
}

struct StepFinish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "The results of all steps → the folder of report.")

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The folder to write.", valueName: "path"), completion: .directory)
  var output: String?

  @Flag(help: "Replace a folder although it has files that subreport did not write.")
  var force = false

  @Flag(help: "Write no folder, but the price changes as a frame.")
  var prices = false

  func validate() throws {
    guard prices != (output != nil) else {
      throw UsageError("step finish needs -o, the folder to write, or --prices")
    }
  }

  func run() throws {
    try withFrames { frames in
      guard let output else {
        return try write([try Finishing.prices(StepSettings.plan, &frames)])
      }
      let writer = try OutputFolder(path: output, force: force)
      var last: StepSettings.Run?
      let result = try Finishing.result(
        { bytes in
          // The ledger is locked before other frames are read, as report does.
          last = try StepSettings(bytes).run(at: output)
          return try StepSettings.plan(bytes)
        }, &frames)
      try last?.write(result, to: writer, at: output)
    }
  }
}

struct StepCache: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Entries of files → the folder of --cache.")

  @Argument(help: ArgumentHelp("The folder of --cache.", valueName: "dir"), completion: .directory)
  var folder: String

  func run() throws {
    try withFrames { frames in
      let count = try EntriesFrame.store(in: folder, version: Subreport.version, &frames)
      Console.standard.note("\(folder): stored \(counted(count, "extract"))")
    }
  }
}

// MARK: - Frames

/// Writes frames on standard output.
private func write(_ frames: [Frame]) throws {
  try Console.standard.data { (write) throws(OutputError) in
    for frame in frames {
      for part in frame.parts(version: Subreport.version) { try write(part) }
    }
  }
}

/// Runs a step with the frames on standard input; prints its error in one line, and throws its exit code.
private func withFrames(_ body: (inout FrameSource) throws -> Void) throws {
  do {
    try withInputFailures {
      var frames = FrameSource(version: Subreport.version) { count in
        try StandardStream.input.read(count)
      }
      try body(&frames)
    }
  } catch let error as StepError {
    throw Console.standard.failure(error.line, error.reason)
  }
}

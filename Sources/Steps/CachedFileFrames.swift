import AppStoreReports
package import Files
package import Pipeline
package import ReportCache
import Scanning
import Storage

/// `step files --cache`: in place of files, what a cache has of them.
package enum CachedFileFrames {
  /// Writes frames for `scout`: what a file is, if the cache has an entry of its bytes; else the file.
  ///
  /// Files whose texts are compared with each other are written whole.
  ///
  /// - Parameters:
  ///   - files: All files of the run.
  ///   - input: The cache.
  ///   - write: Receives a frame; `nil` for a file to be written whole.
  /// - Throws: What `write` throws.
  package static func found(
    _ files: [InputFile], _ input: CachedInput, write: (InputFile, Frame?) throws -> Void
  ) throws {
    var recognizer = FileRecognizer(input.memo)
    let recognized = files.map { recognizer.recognize($0) }
    // Computed for each file, so that the next run remembers it.
    let hashes = recognized.map { input.sha256(of: $0) }
    var starts: [Int: FileExtract] = [:]
    for (index, file) in recognized.enumerated() {
      starts[index] = hashes[index].flatMap { input.extractStart(of: file, $0) }
    }
    let compared = ReportResolution.compared(recognized.map(Scout.withPossibleDump))
      .union(SameBytes.compared(recognized, known: starts.mapValues(\.eventDays)))
    let among = Scout.Finding.hash(ofPaths: files.map(\.relativePath))
    for (index, file) in recognized.enumerated() {
      var frame: Frame?
      if let sha256 = hashes[index], !compared.contains(index), let extract = starts[index],
        let finding = Scout.Finding(readBefore: file, sha256, extract, among: among)
      {
        frame = finding.frame
      }
      try write(files[index], frame)
    }
    input.keepHashes()
  }

  /// Writes frames for `extract`: the entries that the run uses in place of a file, else the file.
  ///
  /// - Parameters:
  ///   - files: All files of the run.
  ///   - input: The cache.
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - frames: The plan.
  ///   - write: Receives a frame; `nil` for a file to be written whole.
  /// - Throws: ``StepError``, and what `makePlan` and `write` throw.
  package static func planned(
    _ files: [InputFile], _ input: CachedInput, _ makePlan: ([UInt8]) throws -> RunPlan,
    _ frames: inout FrameSource, write: (InputFile, Frame?) throws -> Void
  ) throws {
    let registries = Registries()
    let plan = try StepPlan(try frames.next(.plan, for: "files --planned"), registries)
    let context = ReadContext(
      ofStep: try makePlan(plan.settings), plan.survey, registries, nil)
    let stored = PlannedEntries(input, context)
    let indices = plan.indices
    for file in files {
      var frame: Frame?
      let listed = RecognizedFile(file: file, name: ReportName(""), kind: .unknown, vendor: "")
      if let index = indices[file.relativePath], let sha256 = input.sha256(of: listed),
        FileFrame.hash(of: sha256) == plan.hashes[index],
        let entries = stored.entries(of: plan.survey.files[index], index, sha256)
      {
        frame = EntriesFrame(file, sha256, entries).frame
      }
      try write(file, frame)
    }
  }
}

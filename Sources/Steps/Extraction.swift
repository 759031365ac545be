import AppStoreReports
import Counting
import Files
package import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

/// `step extract`: reads the files of one task.
package enum Extraction {
  /// The bytes of charges, or of responses, that a task holds before it writes them, without `--memory`.
  private static let usualHeldBytes = 64 << 20

  /// Reads the plan, and then files, or the entries of files in their place.
  ///
  /// Writes frames with the charges of partitions and the responses of receipts, each time so many are held that they
  /// take half of `--memory` beyond its base; at the end one with all files, without charges and responses. With
  /// `writesEntries` also the entries of all files that are read.
  package static func run(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource,
    writesEntries: Bool = false, write: @escaping (Frame) throws -> Void
  ) throws {
    let bytes = try TemporaryFile(in: TemporaryFile.folder)
    let registries = Registries()
    let plan = try StepPlan(try frames.next(.plan, for: "extract"), registries, path: bytes.path)
    let options = try makePlan(plan.settings)
    let heldBytes = options.memory.map { ($0.bytes - MemoryLimit.base) / 2 } ?? usualHeldBytes
    let context = ReadContext(ofStep: options, plan.survey, registries, nil)
    let entries = FrameEntries()
    let task = TaskExtracts(
      plan, context, heldBytes: heldBytes, entries, writesEntries: writesEntries, write)
    let files = TaskFiles(plan, bytes, entries, frames)
    let run = ReadRun(files, context, task)
    try StepError.checkCopy(bytes.path)
    if let error = task.error ?? files.state.error { throw error }
    if let index = files.state.recalled.subtracting(task.recalled).min() {
      let name = plan.survey.files[index].file.relativePath
      throw StepError(.misplaced, "found the entries of \"\(name)\" for another plan")
    }
    guard run.agreesWithSurvey else { throw StepError.otherRoles }
    try task.end(run.reports)
  }
}

/// The extracts of the files of one task.
final class TaskExtracts: NoFiles {
  private let plan: StepPlan
  private let registries: Registries
  private let indices: [ObjectIdentifier: Int]
  private let heldBytes: Int
  private let write: (Frame) throws -> Void
  /// The entries of the current file, and their coding.
  private let store: FrameEntries
  private var entries: FileEntries
  private let writesEntries: Bool
  /// The files that were recalled from entries.
  private(set) var recalled: Set<Int> = []
  /// The first error of ``write``.
  private(set) var error: (any Error)?
  /// The charges of the current file, by partition.
  private var columns: [ChargeColumns]
  private var sums: [PlaceSum]
  private var pieces: [ExtractWriter]
  private var hasCharges: [Bool]
  /// The sums of the files before the current one.
  private var chargeSums: [PlaceSum]
  private var parts: [ExtractPart: ExtractWriter] = [:]
  private var termsOfFiles: ExtractWriter
  private var kept: [(index: Int, bytes: StoredBytes)] = []
  private var dumps: [(index: Int, dump: ReadFiles.Dump)] = []
  /// The responses of all dumps before the current one, their places, and their statements about all customers.
  private var responses = Responses()
  private var places = PlaceSum()
  private var statements = ReceiptStatements()
  private var dump: (responses: ResponsePartWriter, said: ReceiptStatements, count: Int)

  init(
    _ plan: StepPlan, _ context: ReadContext, heldBytes: Int, _ store: FrameEntries,
    writesEntries: Bool, _ write: @escaping (Frame) throws -> Void
  ) {
    let registries = context.registries
    self.store = store
    self.writesEntries = writesEntries
    entries = FileEntries(store, context)
    indices = Dictionary(
      plan.survey.files.enumerated().map { (ObjectIdentifier($1.file), $0) }
    ) { $1 }
    self.heldBytes = heldBytes
    self.write = write
    self.plan = plan
    self.registries = registries
    dump = (ResponsePartWriter(file: 0, registries), ReceiptStatements(), 0)
    termsOfFiles = ExtractWriter(registries)
    termsOfFiles.begin()
    let count = plan.partitionCount
    columns = [ChargeColumns](repeating: ChargeColumns(), count: count)
    sums = [PlaceSum](repeating: PlaceSum(), count: count)
    chargeSums = sums
    hasCharges = [Bool](repeating: false, count: count)
    pieces = (0..<count).map { _ in ExtractWriter(registries) }
    for index in pieces.indices { pieces[index].begin() }
  }

  override var isCountedElsewhere: Bool { true }

  // MARK: One file

  override func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let sha256 = store.given?.sha256,
      let found = entries.recall(file, index, sha256, &extract)
    else { return nil }
    recalled.insert(index)
    beginCharges()
    if found.hasCharges { entries.forEachCharge(inFile: index) { divide($0) } }
    add(&extract, sha256, file, index)
    return StoredBytes(sha256: sha256, count: 0)
  }

  override func beginReport() {
    if writesEntries { entries.beginReport() }
    beginCharges()
  }

  private func beginCharges() {
    for index in columns.indices { columns[index].removeAll() }
    sums = [PlaceSum](repeating: PlaceSum(), count: columns.count)
  }

  override func keep(_ charge: ChargeRecord) {
    if writesEntries { entries.keep(charge) }
    divide(charge)
  }

  private func divide(_ charge: ChargeRecord) {
    let partition = partition(of: charge.subscriber)
    columns[partition].append(charge)
    sums[partition].add(charge.order)
  }

  /// Returns the partition of a subscriber, which is the same in all tasks.
  private func partition(of key: UInt64) -> Int {
    var hash = key
    if key & SubscriberKey.textBit != 0 {
      // The number of such an id differs from task to task, its text does not.
      let text = Array(registries.subscriberText(of: key).utf8)
      var hasher = ByteHasher()
      hasher.add(text.span, text.indices)
      hash = hasher.finished()
    }
    return plan.partition(ofHash: mixed(hash, 0))
  }

  override func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) {
    if writesEntries {
      entries.keep(&extract, report, of: file, index)
      writeEntries(file, report)
    }
    add(&extract, report.sha256, file, index)
  }

  private func add(
    _ extract: inout FileExtract, _ sha256: String, _ file: RecognizedFile, _ index: Int
  ) {
    let kind = file.kindToKeep
    if kind == .subscriber { keepCharges(index) }
    let part = ExtractPart(kind)
    var writer = parts.removeValue(forKey: part) ?? part.writer(registries)
    if kind.isFinance {
      extract.codeFinance(index, with: &writer)
    } else {
      extract.code(kind, index, with: &writer)
    }
    parts[part] = writer
    kept.append((index, StoredBytes(sha256: sha256, count: 0)))
  }

  private func keepCharges(_ file: Int) {
    var terms = Set(columns.flatMap(\.terms)).sorted()
    termsOfFiles.list(&terms, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
    for partition in columns.indices where columns[partition].count > 0 {
      var (isThere, index) = (true, file)
      pieces[partition].flag(&isThere)
      pieces[partition].integer(&index)
      columns[partition].write(with: &pieces[partition])
      hasCharges[partition] = true
      chargeSums[partition].add(sums[partition])
    }
    if pieces.reduce(0, { $0 + $1.byteCount }) > heldBytes { writeCharges() }
  }

  /// Writes a frame for each partition with the charges that are held.
  private func writeCharges() {
    for partition in pieces.indices where hasCharges[partition] {
      var isThere = false
      pieces[partition].flag(&isThere)
      emit(
        Frame(
          Frame.Label(.charges, partition: partition, of: plan.partitionCount, plan: plan.identity),
          pieces[partition].bytes))
      pieces[partition].begin()
      hasCharges[partition] = false
    }
  }

  private func writeResponses() {
    guard !responses.isEmpty else { return }
    emit(responses.frame(Frame.Label(.responses, plan: plan.identity)))
    responses = Responses()
  }

  /// Writes a frame with the entries of the file that was read.
  private func writeEntries(_ file: RecognizedFile, _ report: FileReport) {
    let entries = store.taken()
    guard !entries.isEmpty else { return }
    emit(EntriesFrame(file.file, report.sha256, entries).frame)
  }

  private func emit(_ frame: Frame) {
    guard error == nil else { return }
    do { try write(frame) } catch { self.error = error }
  }

  // MARK: One dump

  override func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? {
    guard let sha256 = store.given?.sha256 else { return nil }
    beginResponses()
    let found = entries.recallDump(file, index, sha256) { transactions, renewals in
      add(transactions, renewals)
    }
    guard let found else { return nil }
    recalled.insert(index)
    add(found, sha256, index)
    return (found, StoredBytes(sha256: sha256, count: 0))
  }

  override func beginDump() {
    if writesEntries { entries.beginDump() }
    beginResponses()
  }

  private func beginResponses() {
    dump = (ResponsePartWriter(file: 0, registries), ReceiptStatements(), 0)
  }

  override func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    if writesEntries { entries.keepResponse(transactions, renewals) }
    add(transactions, renewals)
  }

  /// Adds a response of the current dump.
  private func add(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    // A run does not keep such a response either.
    guard !transactions.isEmpty || !renewals.isEmpty else { return }
    dump.responses.add(number: dump.count, transactions, renewals)
    dump.said.add(transactions, renewals)
    dump.count += 1
  }

  override func keepDump(
    _ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile
  ) {
    guard let index = indices[ObjectIdentifier(file.file)] else { return }
    if writesEntries {
      entries.keepDump(extract, report, of: file)
      writeEntries(file, report)
    }
    var extract = extract
    extract.rejects = extract.rejects.map(report.withoutPersonalText)
    add(extract, report.sha256, index)
  }

  override func endDump() {
    if writesEntries { entries.endDump() }
  }

  /// Adds the extract of the current dump to those of the task.
  private func add(_ extract: DumpExtract, _ sha256: String, _ index: Int) {
    let file = plan.survey.files[index]
    if file.isToBeUsed { statements.snapshots.add(extract, of: file, index) }
    var (extract, writer) = (extract, ExtractWriter(registries))
    extract.code(file: 0, with: &writer)
    extract.later.code(with: &writer)
    let bytes = StoredBytes(sha256: sha256, count: 0)
    dumps.append((index, ReadFiles.Dump(bytes: bytes, content: writer.bytes)))
    guard dump.count > 0 else { return }
    responses.add(dump.responses.end(ofFile: index))
    for number in 0..<dump.count { places.add(file: index, number: number) }
    statements.merge(dump.said)
    if responses.byteCount > heldBytes { writeResponses() }
  }

  // MARK: The task

  /// Writes all other frames of the task; the one with its files comes last.
  ///
  /// The reports are those of all files of the plan.
  func end(_ reports: [FileReport]) throws {
    writeCharges()
    writeResponses()
    emit(files(reports))
    if let error { throw error }
  }

  private func files(_ reports: [FileReport]) -> Frame {
    let keptFiles = Set(kept.map(\.index) + dumps.map(\.index))
    let unreadable = reports.indices.compactMap { index -> (Int, UnreadableFile)? in
      guard !keptFiles.contains(index), let problem = reports[index].problem,
        !reports[index].sha256.isEmpty
      else { return nil }
      return (
        index,
        UnreadableFile(
          problem: problem, sha256: reports[index].sha256, rowsRead: reports[index].rows.read)
      )
    }
    var said = ExtractWriter(registries)
    statements.code(with: &said)
    return FilesContent(
      kept: kept, dumps: dumps, unreadable: unreadable, parts: parts.mapValues(\.bytes),
      termsOfFiles: termsOfFiles.bytes, charges: chargeSums, responses: places,
      statements: said.bytes, chargeTerms: TermList.bytes(of: ChargeTerms.self, registries),
      salesTerms: TermList.bytes(of: SalesTerms.self, registries)
    ).frame(plan)
  }
}

/// The files of one task, each of which is put where the reader opens it.
struct TaskFiles: Sequence, IteratorProtocol {
  /// The state of the iteration, which is left when it ends.
  final class State {
    var frames: FrameSource
    var read: Set<Int> = []
    /// The files that have entries in their place.
    var recalled: Set<Int> = []
    var error: (any Error)?

    init(_ frames: FrameSource) { self.frames = frames }
  }

  let state: State
  private let plan: StepPlan
  private let bytes: TemporaryFile
  private let entries: FrameEntries
  private let indices: [ExactText: Int]

  init(
    _ plan: StepPlan, _ bytes: TemporaryFile, _ entries: FrameEntries, _ frames: FrameSource
  ) {
    self.plan = plan
    self.bytes = bytes
    self.entries = entries
    state = State(frames)
    indices = plan.indices
  }

  /// Returns the index of the next file; `nil` after the last, and after an error.
  mutating func next() -> Int? {
    guard state.error == nil else { return nil }
    do {
      guard let frame = try state.frames.next() else { return nil }
      switch frame.label.kind {
      case .file:
        let file = try FileFrame(frame)
        let index = try index(of: file.file, file.hash)
        entries.given = nil
        try bytes.replace(with: file.bytes)
        return index
      case .entries:
        let file = try EntriesFrame(frame)
        let index = try index(of: file.file, FileFrame.hash(of: file.sha256))
        entries.given = file
        state.recalled.insert(index)
        try bytes.replace(with: [])
        return index
      default:
        throw StepError.misplaced(
          frame, "; extract expects frames \"file\" or \"entries\" after the plan")
      }
    } catch {
      state.error = error
      return nil
    }
  }

  private func index(of file: InputFile, _ hash: UInt64) throws(StepError) -> Int {
    let name = file.relativePath
    guard let index = indices[name] else {
      throw StepError(.misplaced, "found the file \"\(name)\", which the plan does not have")
    }
    guard state.read.insert(index).inserted else {
      throw StepError(.misplaced, "found the file \"\(name)\" twice")
    }
    guard hash == plan.hashes[index] else {
      throw StepError(.misplaced, "the file \"\(name)\" has other bytes than before the plan")
    }
    return index
  }
}

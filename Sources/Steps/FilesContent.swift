import AppStoreReports
import Counting
import Files
import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

/// A part of a frame with files: extracts whose rows refer to terms of one kind.
enum ExtractPart: UInt8, CaseIterable {
  case attributes, events, sales, finance

  init(_ kind: ReportKind) {
    self =
      switch kind {
      case .subscriptionEvent: .events
      case .sales: .sales
      case .financial, .financeDetail, .payments: .finance
      default: .attributes
      }
  }

  func writer(_ registries: Registries) -> ExtractWriter {
    var writer = ExtractWriter(registries)
    writer.begin()
    return writer
  }
}

/// The content of a frame with the files that one task has read.
struct FilesContent {
  var kept: [(index: Int, bytes: StoredBytes)] = []
  /// Dumps of receipts, each with its extract.
  var dumps: [(index: Int, dump: ReadFiles.Dump)] = []
  var unreadable: [(Int, UnreadableFile)] = []
  var parts: [ExtractPart: [UInt8]] = [:]
  /// For each SUBSCRIBER report of ``kept`` the terms of its charges.
  var termsOfFiles: [UInt8] = []
  /// The charges of each partition.
  var charges: [PlaceSum] = []
  /// The responses of ``dumps``, and their statements about all customers.
  var responses = PlaceSum()
  var statements: [UInt8] = []
  /// The terms of all charges, also of those in files that do not count.
  var chargeTerms: [UInt8] = []
  var salesTerms: [UInt8] = []

  func frame(_ plan: StepPlan) -> Frame {
    var copy = self
    return Frame(Frame.Label(.files, plan: plan.identity)) { copy.code(with: &$0) }
  }

  static func content(of frame: Frame) throws(StepError) -> FilesContent {
    var content = FilesContent()
    try frame.read { content.code(with: &$0) }
    return content
  }

  private mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.list(&kept, blank: (0, StoredBytes(sha256: "", count: 0))) { file, coder in
      coder.integer(&file.index)
      coder.text(&file.bytes.sha256)
      coder.count(&file.bytes.count)
    }
    let noDump = ReadFiles.Dump(bytes: StoredBytes(sha256: "", count: 0), content: [])
    coder.list(&dumps, blank: (0, noDump)) { file, coder in
      coder.integer(&file.index)
      coder.text(&file.dump.bytes.sha256)
      coder.run(&file.dump.content)
    }
    let blank = UnreadableFile(problem: .blank, sha256: "", rowsRead: 0)
    coder.list(&unreadable, blank: (0, blank)) { file, coder in
      coder.integer(&file.0)
      file.1.problem.code(with: &coder)
      coder.text(&file.1.sha256)
      coder.count(&file.1.rowsRead)
    }
    for part in ExtractPart.allCases {
      var bytes = parts[part] ?? []
      coder.run(&bytes)
      parts[part] = bytes
    }
    coder.list(&charges, blank: PlaceSum()) { $0.code(with: &$1) }
    responses.code(with: &coder)
    coder.run(&statements)
    coder.run(&termsOfFiles)
    coder.run(&chargeTerms)
    coder.run(&salesTerms)
  }
}

/// The files of all tasks, without their charges.
struct ReadFiles {
  /// The extract of each file that was read to its end.
  private(set) var extracts: [Int: (extract: FileExtract, bytes: StoredBytes)] = [:]
  private(set) var dumps: [Int: Dump] = [:]
  private(set) var unreadable: [Int: UnreadableFile] = [:]
  /// The charges of each partition.
  private(set) var charges: [PlaceSum]
  private(set) var responses = PlaceSum()
  /// Their statements about all customers.
  private(set) var statements = ReceiptStatements()
  /// The hashes of all frames, added up.
  private(set) var filesSum: UInt64 = 0

  private let registries: Registries

  /// A dump of receipts.
  struct Dump {
    var bytes: StoredBytes
    /// Its extract without responses, as the cache stores it, and those after as-of.
    var content: [UInt8]

    /// Returns the extract of the dump; `nil` for a content that cannot be read.
    func extract(_ index: Int, _ registries: Registries) -> DumpExtract? {
      var reader = ExtractReader(registries)
      reader.open(content, content.indices)
      var extract = DumpExtract()
      extract.code(file: UInt32(index), with: &reader)
      extract.later.code(with: &reader)
      return reader.isReadToEnd ? extract : nil
    }
  }

  /// Reads the frames with files up to another frame; each file must be there once.
  ///
  /// `identity` is the plan with which the files were read. The registries receive the symbols and terms of all rows.
  init(
    _ plan: StepPlan, _ identity: String, _ registries: Registries, _ frames: inout FrameSource
  ) throws {
    self.registries = registries
    charges = [PlaceSum](repeating: PlaceSum(), count: plan.partitionCount)
    while let frame = try frames.next(if: .files) {
      try plan.check(frame, plan: identity)
      try add(frame, plan)
      filesSum &+= frame.contentHash
    }
    let missing = plan.survey.files.indices.filter {
      extracts[$0] == nil && dumps[$0] == nil && unreadable[$0] == nil
    }
    if let first = missing.first {
      let name = plan.survey.files[first].file.relativePath
      throw StepError(
        .misplaced,
        "found no extract of \(missing.count) of \(plan.survey.files.count) files, such as \"\(name)\""
      )
    }
  }

  private mutating func add(_ frame: Frame, _ plan: StepPlan) throws(StepError) {
    let content = try FilesContent.content(of: frame)
    guard content.charges.count == charges.count,
      TermList.add(content.chargeTerms, of: ChargeTerms.self, to: registries),
      TermList.add(content.salesTerms, of: SalesTerms.self, to: registries)
    else { throw StepError.unreadable(frame) }
    for (partition, sum) in content.charges.enumerated() { charges[partition].add(sum) }
    responses.add(content.responses)
    var (said, saidReader) = (ReceiptStatements(), ExtractReader(registries))
    saidReader.open(content.statements, content.statements.indices)
    said.code(with: &saidReader)
    guard saidReader.close() else { throw StepError.unreadable(frame) }
    statements.merge(said)
    var readers = content.parts.mapValues { bytes in
      var reader = ExtractReader(registries)
      reader.open(bytes, bytes.indices)
      return reader
    }
    let files = plan.survey.files
    var terms = ExtractReader(registries)
    terms.open(content.termsOfFiles, content.termsOfFiles.indices)
    for (index, bytes) in content.kept {
      guard files.indices.contains(index) else { throw StepError.unreadable(frame) }
      try checkIsNew(index, plan)
      let kind = files[index].kindToKeep
      let part = ExtractPart(kind)
      guard var reader = readers.removeValue(forKey: part) else {
        throw StepError.unreadable(frame)
      }
      var extract = FileExtract()
      if kind.isFinance {
        extract.codeFinance(index, with: &reader)
      } else {
        extract.code(kind, index, with: &reader)
      }
      if kind == .subscriber {
        terms.list(&extract.chargeTerms, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
      }
      guard reader.isValid, terms.isValid else { throw StepError.unreadable(frame) }
      readers[part] = reader
      extracts[index] = (extract, bytes)
    }
    for (index, dump) in content.dumps {
      guard files.indices.contains(index) else { throw StepError.unreadable(frame) }
      try checkIsNew(index, plan)
      guard dump.extract(index, registries) != nil else { throw StepError.unreadable(frame) }
      dumps[index] = dump
    }
    for (index, file) in content.unreadable {
      guard files.indices.contains(index) else { throw StepError.unreadable(frame) }
      try checkIsNew(index, plan)
      unreadable[index] = file
    }
    guard terms.close() else { throw StepError.unreadable(frame) }
    for part in Array(readers.keys) {
      guard readers[part]?.close() == true else { throw StepError.unreadable(frame) }
    }
  }

  private func checkIsNew(_ index: Int, _ plan: StepPlan) throws(StepError) {
    guard extracts[index] == nil, dumps[index] == nil, unreadable[index] == nil else {
      let name = plan.survey.files[index].file.relativePath
      throw StepError(.misplaced, "found two extracts of \"\(name)\"")
    }
  }

  /// Returns the memo that gives these files to the reader of a run.
  func memo(for context: ReadContext) -> NoFiles { Recalled(self, context) }
}

/// Gives extracts to the reader of a run.
private final class Recalled: NoFiles {
  private let files: ReadFiles
  private let context: ReadContext

  init(_ files: ReadFiles, _ context: ReadContext) {
    self.files = files
    self.context = context
  }

  override func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let found = files.extracts[index] else { return nil }
    extract = found.extract
    return found.bytes
  }

  override func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? {
    guard let dump = files.dumps[index] else { return nil }
    return dump.extract(index, context.registries).map { ($0, dump.bytes) }
  }

  override func unreadable(_ index: Int) -> UnreadableFile? { files.unreadable[index] }
}

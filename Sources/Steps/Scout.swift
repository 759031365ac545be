import AppStoreReports
import Files
import Pipeline
import Receipts
import ReportCache
import Scanning
import Storage

/// `step scout`: recognizes each file, before the others are read.
package enum Scout {
  /// What one file is, and a hash of its bytes.
  struct Finding {
    var file = RecognizedFile.blank
    var hash: UInt64 = 0
    /// Signs that the file is a dump; none in a report and in a file that cannot be read.
    var signs = DumpSigns()
    /// A hash of the paths of all files among which a cache was searched for this one; `nil` for a file that was read.
    var among: UInt64?

    init() {}

    /// Describes a file that was read before, without reading it to its end; `nil` if it cannot be opened.
    ///
    /// `extract` is the start of its extract, `among` a hash of the paths of all files of the run.
    init?(readBefore file: RecognizedFile, _ sha256: String, _ extract: FileExtract, among: UInt64)
    {
      self.file = file
      self.among = among
      hash = FileFrame.hash(of: sha256)
      if file.problem == nil { self.file.foreign = Scout.foreignKind(file) }
      self.file.examined = ExaminedContent(readBefore: file.file, sha256, extract)
      do throws(ScanError) {
        try findSigns(path: file.file.path)
        try self.file.readHeaderText()
      } catch {
        return nil
      }
    }

    static func hash(ofPaths paths: [String]) -> UInt64 {
      var hasher = ByteHasher()
      let bytes = Array(paths.joined(separator: "\0").utf8)
      hasher.add(bytes.span, bytes.indices)
      return hasher.finished()
    }

    init(_ frame: Frame) throws(StepError) {
      self.init()
      var isValid = false
      try frame.read { isValid = code(with: &$0) }
      guard isValid else { throw StepError.unreadable(frame) }
    }

    var frame: Frame {
      var copy = self
      return Frame(Frame.Label(.scouted)) { _ = copy.code(with: &$0) }
    }

    private mutating func code<Coder: ExtractCoder>(with coder: inout Coder) -> Bool {
      var header = file.headerText
      file.code(with: &coder)
      coder.run(&header)
      coder.number(&hash)
      coder.flag(&signs.isDump)
      coder.list(&signs.header, blank: "") { $1.text(&$0) }
      coder.optional(&among, blank: 0) { $1.number(&$0) }
      return !coder.isReading || coder.isValid && file.setHeader(header)
    }

    /// Looks for signs that the file is a dump, if it may be one.
    fileprivate mutating func findSigns(path: String) throws(ScanError) {
      guard file.kind == .unknown, file.problem == nil else { return }
      signs = try DumpSigns(path: path)
    }

    /// Decides whether the file is a dump, as `FileRecognizer` does with the columns of tables of receipts in the
    /// plan.
    mutating func recognizeDump(_ columns: ReceiptColumns?) {
      guard file.kind == .unknown, file.problem == nil else { return }
      file.isReceiptDump = signs.isDump(columns)
      file.day = file.isReceiptDump ? nil : file.name.date
    }
  }

  /// Scouts files; returns a frame for each, also of those that were scouted already.
  package static func frames(_ frames: inout FrameSource) throws -> [Frame] {
    let bytes = try TemporaryFile(in: TemporaryFile.folder)
    var recognizer = FileRecognizer()
    var readers = ExaminedContent.Readers()
    var found: [Frame] = []
    while let frame = try frames.next() {
      if frame.label.kind == .scouted {
        found.append(frame)
        continue
      }
      guard frame.label.kind == .file else {
        throw StepError.misplaced(frame, "; scout expects only frames \"file\"")
      }
      let given = try FileFrame(frame)
      try bytes.replace(with: given.bytes)
      let file = given.file.at(bytes.path, FileStatus(of: bytes.path))
      var finding = Finding()
      finding.file = recognizer.recognize(file)
      finding.hash = given.hash
      if finding.file.problem == nil { finding.file.foreign = foreignKind(finding.file) }
      finding.file.examined = ExaminedContent(finding.file, &readers)
      do throws(ScanError) {
        try finding.findSigns(path: file.path)
        try finding.file.readHeaderText()
      } catch {
        try StepError.checkCopy(bytes.path)
        throw StepError(
          .internal, "\(file.relativePath): cannot read the header again: please report this")
      }
      try StepError.checkCopy(bytes.path)
      found.append(finding.frame)
    }
    return found
  }

  /// Returns a file as a dump if columns in the plan may make one of it.
  static func withPossibleDump(_ file: RecognizedFile) -> RecognizedFile {
    guard file.kind == .unknown, file.problem == nil else { return file }
    var file = file
    if let signs = try? DumpSigns(path: file.file.path), !signs.header.isEmpty {
      file.isReceiptDump = true
    }
    return file
  }

  /// Returns the kind of a file without reports and receipts, since later steps cannot open it.
  ///
  /// Whether the rows of a dump are receipts shows only when they are read.
  private static func foreignKind(_ file: RecognizedFile) -> ForeignFile? {
    var file = file
    file.isReceiptDump = false
    return file.foreignKind
  }
}

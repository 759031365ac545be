import AppStoreReports
import Files
import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

extension InputFile {
  /// A file whose bytes are elsewhere.
  static let blank = InputFile(
    path: "", shownPath: "", relativePath: "", isNamed: false, status: nil)

  /// Returns the same file with its bytes, of a damaged zip's member the packed ones, at another path.
  func at(_ path: String, _ status: FileStatus? = nil) -> InputFile {
    InputFile(
      path: path + ZipMember.placeInCopy(of: self.path), shownPath: shownPath,
      relativePath: relativePath, commonPath: commonPath, isNamed: isNamed, status: status)
  }

  /// Encodes a file's names, or decodes a file.
  static func code(_ file: inout InputFile, with coder: inout some ExtractCoder) {
    var (shown, relative, isNamed) = (file.shownPath, file.relativePath, file.isNamed)
    coder.text(&shown)
    coder.text(&relative)
    var common = file.commonPath
    coder.text(&common)
    coder.flag(&isNamed)
    var place = ZipMember.placeInCopy(of: file.path)
    coder.text(&place)
    guard coder.isReading else { return }
    file = InputFile(
      path: place, shownPath: shown, relativePath: relative, commonPath: common,
      isNamed: isNamed, status: nil)
  }
}

extension RecognizedFile {
  static var blank: RecognizedFile {
    RecognizedFile(file: .blank, name: ReportName(""), kind: .unknown, vendor: "")
  }

  /// The lines up to the header, joined by line feeds; empty without a header that matters.
  var headerText: [UInt8] {
    get { text?.headerLine ?? [] }
    set { text = newValue.isEmpty ? nil : RecognizedText(headerLine: newValue) }
  }

  /// Reads the lines up to the header, from which later steps recognize it again.
  mutating func readHeaderText() throws(ScanError) {
    var lines: [UInt8] = []
    if let header, header.kind != .unknown {
      // As the recognizer has read them, so that damage further on does not matter.
      var scanner = try LineScanner(
        path: file.path, storedBlockSize: FileRecognizer.blockSize,
        textBlockSize: FileRecognizer.blockSize)
      var last = 1
      try scanner.forEachLine { line, place in
        lines += repeatElement(UInt8(ascii: "\n"), count: place.number - last)
        last = place.number
        lines += line.indices.map { line[$0] }
        return place.number < header.headerLine ? .next : .stop
      }
    }
    headerText = lines
  }

  /// Sets the header that lines have; returns whether they have one, or there are none.
  mutating func setHeader(_ lines: [UInt8]) -> Bool {
    header = nil
    headerText = lines
    guard !lines.isEmpty else { return true }
    var recognizer = HeaderRecognizer()
    let parts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in parts.enumerated() {
      let place = Line(number: index + 1, byteOffset: 0)
      let step = recognizer.feed(Array(line).span, place)
      if case .recognized(let header) = step {
        self.header = header
        return index == parts.count - 1
      }
    }
    return false
  }

  /// Encodes or decodes everything except the header.
  ///
  /// Day, vendor and version in the file's name are read from it again. A decoded file has its bytes at `path`.
  mutating func code<Coder: ExtractCoder>(at path: String = "", with coder: inout Coder) {
    var file = self.file
    InputFile.code(&file, with: &coder)
    if coder.isReading {
      file = file.at(path)
      self = RecognizedFile(file: file, name: ReportName(file.name), kind: .unknown, vendor: "")
    }
    coder.word(&kind, of: ReportKind.self)
    coder.flag(&isReceiptDump)
    coder.flag(&isReadTwice)
    coder.flag(&isPlaceholder)
    coder.flag(&lacksReadableDates)
    coder.flag(&isEmptySales)
    coder.optional(&day, blank: Day(number: 0)) { $1.day(&$0) }
    coder.optional(&frequency, blank: .daily) { $1.word(&$0, of: Frequency.self) }
    coder.optional(&longerReport, blank: .daily) { $1.word(&$0, of: Frequency.self) }
    EventDays.code(&eventDays, with: &coder)
    coder.text(&vendor)
    coder.list(&missingColumns, blank: "") { $1.text(&$0) }
    coder.optional(&problem, blank: .blank) { $0.code(with: &$1) }
    var foreignIndex = foreign.flatMap(ForeignFile.allCases.firstIndex(of:)) ?? -1
    coder.integer(&foreignIndex)
    if coder.isReading {
      let cases = ForeignFile.allCases
      if foreignIndex >= cases.count { return coder.fail() }
      foreign = foreignIndex < 0 ? nil : cases[foreignIndex]
    }
    coder.optional(&examined, blank: .blank) { $0.code(with: &$1) }
    role.code(with: &coder)
  }
}

extension RecognizedFile.Role {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (other, reason) = (-1, "")
    switch self {
    case .use: break
    case .ignore(let why): reason = why.rawValue
    case .ignoreFor(let index, let why): (other, reason) = (index, why.rawValue)
    }
    coder.integer(&other)
    coder.text(&reason)
    guard coder.isReading else { return }
    self = .use
    guard !reason.isEmpty else { return }
    guard let why = IgnoredReason(rawValue: reason) else { return coder.fail() }
    self = other < 0 ? .ignore(why) : .ignoreFor(other, why)
  }
}

extension FileProblem {
  static let blank = FileProblem(code: "", message: "", isCorruption: false)

  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.text(&code)
    coder.text(&message)
    coder.flag(&isCorruption)
    coder.optional(&line, blank: 0) { $1.integer(&$0) }
    coder.optional(&field, blank: 0) { $1.integer(&$0) }
  }
}

extension ExaminedContent {
  fileprivate static let blank = ExaminedContent(text: .success([]), endsInsideLine: false)

  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var (hash, fault): ([UInt8], FileProblem?) = ([], nil)
    switch text {
    case .success(let bytes): hash = bytes
    case .failure(let problem): fault = problem
    }
    coder.run(&hash)
    coder.optional(&fault, blank: .blank) { $0.code(with: &$1) }
    text = fault.map { .failure($0) } ?? .success(hash)
    coder.optional(&joinedReports, blank: .blank) { $0.code(with: &$1) }
    coder.flag(&endsInsideLine)
    coder.optional(&firstReject, blank: .last) { $1.anyDay(&$0) }
    coder.optional(&firstRejectOfSubscriptions, blank: .last) { $1.anyDay(&$0) }
    coder.count(&rowCount)
    EventDays.code(&eventDays, with: &coder)
    coder.optional(&statedLength, blank: 0) { length, coder in
      var number = UInt64(length)
      coder.number(&number)
      length = UInt32(truncatingIfNeeded: number)
    }
  }
}

extension ExtractCoder {
  /// Encodes or decodes a case of an enumeration by its text.
  mutating func word<Word: RawRepresentable>(_ value: inout Word, of kind: Word.Type)
  where Word.RawValue == String {
    var text = value.rawValue
    self.text(&text)
    guard let word = Word(rawValue: text) else { return fail() }
    value = word
  }
}

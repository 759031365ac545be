import AppStoreReports
import Counting
import Files
import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

/// The document that every step after `plan` gets: the options of the run, the role of each file, and later what
/// reading the files has shown.
struct StepPlan {
  /// The run as a whole, once its files are read.
  struct Whole {
    /// The plan with which the files were read.
    var plan = ""
    /// Whether each file counts.
    var isUsed: [Bool] = []
    /// The days of SUBSCRIBER reports; `nil` without one that counts.
    var days: Completeness?
    /// The charges of each partition.
    var charges: [PlaceSum] = []
    var responses = PlaceSum()
    /// Their statements about all customers.
    var statements = ReceiptStatements()
    /// The responses that are after as-of.
    var later = LaterReceipts()
    /// The as-of of receipts; `nil` without any.
    var receiptsAsOf: Instant?
    /// The hashes of all frames with files, added up.
    var filesSum: UInt64 = 0
    /// The products and apps of filters that name them; `nil` for filters without names.
    var ids: IDs?

    struct IDs {
      var products: [String] = []
      var apps: [String] = []
    }
  }

  /// The options of the run, as the program has written them.
  var settings: [UInt8] = []
  var partitionCount = 1
  /// The files, their roles, and the days and months that count; files have no bytes.
  var survey: Survey
  /// A hash of each file's bytes.
  var hashes: [UInt64] = []
  /// `nil` before the files are read.
  var whole: Whole?

  /// The plan in labels of frames that were made with it: a hash of the document.
  private(set) var identity = ""

  init(_ settings: [UInt8], partitionCount: Int, _ survey: Survey) {
    self.settings = settings
    self.partitionCount = partitionCount
    self.survey = survey
  }

  /// Whether the files are read.
  var isComplete: Bool { whole != nil }

  /// Returns the partition of a subscriber or customer.
  ///
  /// Example: of 4 partitions, hashes from 2^62 to 2^63 - 1 are in partition 1.
  func partition(ofHash hash: UInt64) -> Int {
    Int(hash.multipliedFullWidth(by: UInt64(partitionCount)).high)
  }

  // MARK: Frames

  /// Reads a plan; the registries receive the terms of all charges and sales.
  ///
  /// The step finds the bytes of a file at the path; `nil` for a step that needs no files, whose survey then has
  /// none.
  init(_ frame: Frame, _ registries: Registries, path: String? = "") throws {
    self.init([], partitionCount: 1, Survey(files: [], cutoff: [:], months: .blank))
    try frame.read(registries) { code(registries, path: path, with: &$0) }
    identity = Self.identity(frame)
  }

  /// The index of each file, by its path below the input.
  var indices: [ExactText: Int] {
    Dictionary(survey.files.enumerated().map { (ExactText($1.file.relativePath), $0) }) { $1 }
  }

  var fileCount: Int { hashes.count }

  func frame(_ registries: Registries) -> Frame {
    var copy = self
    return Frame(Frame.Label(.plan, of: partitionCount), registries) {
      copy.code(registries, path: "", with: &$0)
    }
  }

  private static func identity(_ frame: Frame) -> String {
    let hash = frame.contentHash
    return hexadecimal((0..<8).reversed().map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) })
  }

  /// Checks that a frame was made with this plan, or with the one of an identity.
  func check(_ frame: Frame, plan: String? = nil) throws(StepError) {
    guard frame.label.plan == plan ?? identity else {
      throw StepError.misplaced(frame, ", which was made with another plan")
    }
  }

  // MARK: Coding

  private mutating func code<Coder: ExtractCoder>(
    _ registries: Registries, path: String?, with coder: inout Coder
  ) {
    coder.run(&settings)
    coder.integer(&partitionCount, in: 1...Planning.mostPartitions)
    coder.column(&hashes)
    codeSurvey(path: path, with: &coder)
    var isComplete = whole != nil
    coder.flag(&isComplete)
    guard isComplete else { return }
    var whole = whole ?? Whole()
    whole.code(files: fileCount, partitions: partitionCount, with: &coder)
    self.whole = whole
    Self.codeTerms(ofCharges: registries.chargeTerms.count, with: &coder)
    Self.codeSalesTerms(registries, with: &coder)
  }

  private mutating func codeSurvey<Coder: ExtractCoder>(path: String?, with coder: inout Coder) {
    // In an entry of their own, which a step need not decode.
    var bytes: [UInt8] = []
    if !coder.isReading {
      var (files, writer) = (survey.files, ExtractWriter(Registries()))
      writer.begin()
      Self.code(&files, path: "", with: &writer)
      bytes = writer.bytes
    }
    coder.run(&bytes)
    var files: [RecognizedFile] = []
    if coder.isReading, let path {
      var reader = ExtractReader(Registries())
      reader.open(bytes, bytes.indices)
      Self.code(&files, path: path, with: &reader)
      guard reader.close(), files.count == fileCount else { return coder.fail() }
    }
    var cutoff = survey.cutoff.map { (source: $0.key, day: $0.value) }
    cutoff.sort { $0.source < $1.source }
    coder.list(&cutoff, blank: (.subscribers, .last)) { entry, coder in
      coder.word(&entry.source, of: Source.self)
      coder.day(&entry.day)
    }
    var (first, last) = (survey.months.lowerBound, survey.months.upperBound)
    coder.month(&first)
    coder.month(&last)
    guard coder.isReading else { return }
    guard coder.isValid, first <= last else { return coder.fail() }
    survey = Survey(
      files: files, cutoff: Dictionary(cutoff.map { ($0.source, $0.day) }) { $1 },
      months: first...last)
  }

  private static func code<Coder: ExtractCoder>(
    _ files: inout [RecognizedFile], path: String, with coder: inout Coder
  ) {
    // Most files have one of a few headers.
    var headers: [[UInt8]] = []
    var headerOfFile: [Int] = []
    if !coder.isReading {
      var numbers: [[UInt8]: Int] = [:]
      for file in files {
        let number = numbers[file.headerText] ?? headers.count
        if number == headers.count {
          numbers[file.headerText] = number
          headers.append(file.headerText)
        }
        headerOfFile.append(number)
      }
    }
    coder.list(&headers, blank: []) { $1.run(&$0) }
    coder.list(&headerOfFile, blank: 0) { $1.integer(&$0) }
    coder.list(&files, blank: .blank) { $0.code(at: path, with: &$1) }
    guard coder.isReading else { return }
    guard coder.isValid, headerOfFile.count == files.count else { return coder.fail() }
    // Recognizing a header takes longer than decoding all else of a file.
    let recognized = headers.map { lines in
      var file = RecognizedFile.blank
      return file.setHeader(lines) ? file : nil
    }
    for index in files.indices {
      guard headers.indices.contains(headerOfFile[index]),
        let file = recognized[headerOfFile[index]]
      else { return coder.fail() }
      if case .ignoreFor(let other, _) = files[index].role, !files.indices.contains(other) {
        return coder.fail()
      }
      files[index].header = file.header
      files[index].text = file.text
    }
  }

  /// Encodes the terms of all charges, or adds them to the registries.
  ///
  /// All of them, because each fold must know the prices that any row marks as contingent.
  private static func codeTerms<Coder: ExtractCoder>(
    ofCharges count: Int, with coder: inout Coder
  ) {
    var numbers = coder.isReading ? [] : Array(0..<UInt32(count))
    coder.list(&numbers, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
  }

  private static func codeSalesTerms<Coder: ExtractCoder>(
    _ registries: Registries, with coder: inout Coder
  ) {
    // An entry has one kind of numbered terms, so these are in an entry of their own.
    var bytes: [UInt8] = []
    if !coder.isReading { bytes = TermList.bytes(of: SalesTerms.self, registries) }
    coder.run(&bytes)
    if coder.isReading, !TermList.add(bytes, of: SalesTerms.self, to: registries) { coder.fail() }
  }
}

/// Lists of terms in an entry of their own.
enum TermList {
  static func bytes<Terms: ExtractTerms>(of _: Terms.Type, _ registries: Registries) -> [UInt8] {
    var writer = ExtractWriter(registries)
    writer.begin()
    var numbers = Array(0..<UInt32(Terms.all(in: registries).count))
    writer.list(&numbers, blank: 0) { $1.terms(&$0, of: Terms.self) }
    return writer.bytes
  }

  /// Adds the terms of a list; returns whether it can be read.
  static func add<Terms: ExtractTerms>(
    _ bytes: [UInt8], of _: Terms.Type, to registries: Registries
  ) -> Bool {
    var reader = ExtractReader(registries)
    reader.open(bytes, bytes.indices)
    var numbers: [UInt32] = []
    reader.list(&numbers, blank: 0) { $1.terms(&$0, of: Terms.self) }
    return reader.close()
  }
}

extension StepPlan.Whole {
  fileprivate mutating func code<Coder: ExtractCoder>(
    files: Int, partitions: Int, with coder: inout Coder
  ) {
    coder.text(&plan)
    var used = isUsed.map { UInt8($0 ? 1 : 0) }
    coder.column(&used)
    isUsed = used.map { $0 == 1 }
    coder.optional(&days, blank: .blank) { $0.code(files: files, with: &$1) }
    coder.list(&charges, blank: PlaceSum()) { $0.code(with: &$1) }
    responses.code(with: &coder)
    statements.code(with: &coder)
    later.code(with: &coder)
    coder.instant(&receiptsAsOf)
    coder.number(&filesSum)
    coder.optional(&ids, blank: IDs()) { ids, coder in
      coder.list(&ids.products, blank: "") { $1.text(&$0) }
      coder.list(&ids.apps, blank: "") { $1.text(&$0) }
    }
    if isUsed.count != files || charges.count != partitions { coder.fail() }
  }
}

extension Completeness {
  fileprivate static let blank = Completeness(firstDay: .last, asOf: .last, presentDays: [.last])

  /// Encodes or decodes the days of SUBSCRIBER reports.
  fileprivate mutating func code<Coder: ExtractCoder>(files: Int, with coder: inout Coder) {
    var (first, asOf, missing) = (firstDay, asOf, missingDays)
    var transfers = transfers
    var isFiscal = monthSystem == .fiscal
    var hasStopped = hasStopped
    var months = sharedMonths.sorted { $0 < $1 }
    // Of several vendors' files a month may have some although no day has all of them.
    var withFiles = monthsOfFiles.sorted { $0 < $1 }
    coder.day(&first)
    coder.day(&asOf)
    coder.list(&missing, blank: first) { $1.day(&$0) }
    coder.list(&months, blank: Month(number: 0)) { $1.month(&$0) }
    coder.list(&withFiles, blank: Month(number: 0)) { $1.month(&$0) }
    coder.flag(&hasStopped)
    coder.flag(&isFiscal)
    transfers.code(files: files, with: &coder)
    guard coder.isReading else { return }
    guard coder.isValid, first <= asOf else { return coder.fail() }
    let days = Set((first.number...asOf.number).map(Day.init(number:))).subtracting(missing)
    let system: MonthSystem = isFiscal ? .fiscal : .calendar
    self = Completeness(
      firstDay: first, asOf: asOf, presentDays: days,
      coveredDays: days.union(withFiles.map { system.firstDay(of: $0) }), sharedMonths: Set(months),
      monthSystem: system, transfers: transfers, hasStopped: hasStopped)
  }
}

/// The number of some charges or responses, and a sum of their places that a lost, repeated or other one changes.
struct PlaceSum: Equatable, Sendable {
  private(set) var count = 0
  private(set) var places: UInt64 = 0

  /// Adds a place: a file in the upper half, and a number in it.
  mutating func add(_ place: UInt64) {
    count += 1
    let mixed = (place ^ place >> 32) &* 0x9E37_79B9_7F4A_7C15
    places &+= mixed ^ mixed >> 29
  }

  mutating func add(file: Int, number: Int) { add(UInt64(file) << 32 | UInt64(number)) }

  mutating func add(_ other: PlaceSum) {
    count += other.count
    places &+= other.places
  }

  mutating func code(with coder: inout some ExtractCoder) {
    coder.count(&count)
    coder.number(&places)
  }
}

extension StepError {
  /// A frame whose content cannot be read.
  static func unreadable(_ frame: Frame) -> StepError {
    StepError(.damaged, "found the frame \"\(frame.label.text)\" with a damaged content")
  }

  /// A frame where another one, or none, is expected.
  static func misplaced(_ frame: Frame, _ expected: String) -> StepError {
    StepError(.misplaced, "found the frame \"\(frame.label.text)\"\(expected)")
  }
}

extension ClosedRange<Month> {
  fileprivate static let blank = Month(number: 0)...Month(number: 0)
}

import AppStoreReports
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

/// Responses of dumps, as a frame carries them: those that one task has read, or those of one partition of customers.
struct Responses {
  /// Responses of one dump.
  struct Part {
    var file = 0
    /// The number of each response in its dump, from 0.
    var numbers: [UInt32] = []
    /// The responses, as the cache stores them.
    var bytes: [UInt8] = []
  }

  private(set) var parts: [Part] = []
  private(set) var byteCount = 0

  var isEmpty: Bool { parts.isEmpty }

  /// Adds responses of a dump.
  mutating func add(_ part: Part) {
    parts.append(part)
    byteCount += part.bytes.count
  }

  // MARK: Frames

  init() {}

  init(_ frame: Frame, _ plan: StepPlan) throws(StepError) {
    try frame.read { code(with: &$0) }
    guard parts.allSatisfy({ (0..<plan.fileCount).contains($0.file) }) else {
      throw StepError.unreadable(frame)
    }
  }

  func frame(_ label: Frame.Label) -> Frame {
    var copy = self
    return Frame(label) { copy.code(with: &$0) }
  }

  private mutating func code(with coder: inout some ExtractCoder) {
    coder.list(&parts, blank: Part()) { part, coder in
      coder.integer(&part.file)
      coder.column(&part.numbers)
      coder.run(&part.bytes)
    }
  }

  // MARK: Reading

  /// One response.
  struct Response {
    var transactions: [TransactionCopy]
    var renewals: [RenewalCopy]
    var file: Int
    /// Its number in the dump, from 0.
    var number: Int
  }

  /// Calls `body` with each response, whose symbols the registries receive; returns whether all could be read.
  func forEach(_ registries: Registries, _ body: (Response) -> Void) -> Bool {
    var reader = ExtractReader(registries)
    for part in parts {
      reader.open(part.bytes, part.bytes.indices)
      var responses = ResponseReader(file: UInt32(part.file))
      var numbers = part.numbers[...]
      while responses.readNext(with: &reader) {
        guard let number = numbers.popFirst() else { return false }
        body(
          Response(
            transactions: responses.transactions, renewals: responses.renewals, file: part.file,
            number: Int(number)))
      }
      guard numbers.isEmpty, reader.close() else { return false }
    }
    return true
  }
}

/// Writes responses of one dump.
struct ResponsePartWriter {
  private var part: Responses.Part
  private var writer: ResponseWriter

  init(file: Int, _ registries: Registries) {
    part = Responses.Part(file: file)
    writer = ResponseWriter(registries)
  }

  mutating func add(
    number: Int, _ transactions: [TransactionCopy], _ renewals: [RenewalCopy]
  ) {
    part.numbers.append(UInt32(number))
    writer.write(transactions, renewals)
  }

  /// Returns the responses; the dump may not have been known before.
  consuming func end(ofFile file: Int? = nil) -> Responses.Part {
    part.bytes = writer.end()
    part.file = file ?? part.file
    return part
  }
}

import AppStoreReports
import ReportCache
import Scanning

/// A message between two steps.
///
/// Its bytes are a length, eight bytes with the lowest first, and an entry of the cache's format (`CacheEntry`): three
/// lines of text, a content and a checksum. The third line is the frame's label. A file has a plainer form too, see
/// ``FileFrame``.
package struct Frame: Sendable {
  /// The content of a frame.
  package enum Kind: String, Sendable, CaseIterable {
    /// A file of the input, whole.
    case file
    /// The entries of one file, as a cache stores them.
    case entries
    /// What one file is.
    case scouted
    /// The plan that every later step gets.
    case plan
    /// The files that one task has read, without their charges.
    case files
    /// The charges that one task has read of one partition.
    case charges
    /// The responses of receipts that one task has read.
    case responses
    /// Which ids belong to one customer.
    case joins
    /// The responses of one partition of customers.
    case receipts
    /// Evidence that products are sold in instalments.
    case instalments
    case tally
    /// The price changes that all charges show.
    case prices
    /// What the subscribers and customers of partitions did who met a price increase.
    case impact
  }

  /// The third line of a frame: its kind, its partition and its plan.
  ///
  /// Example: `charges 2/7 0f3a…`; the plan of 7 partitions, `plan -/7 -`; without any of it, `file - -`.
  package struct Label: Equatable, Sendable {
    package var kind: Kind
    /// The partition, from 0; `nil` for a frame that belongs to none.
    package var partition: Int?
    package var partitionCount = 0
    /// The plan of the frame, by ``StepPlan/identity``; blank before there is one.
    package var plan = ""

    package init(_ kind: Kind, partition: Int? = nil, of partitionCount: Int = 0, plan: String = "")
    {
      self.kind = kind
      self.partition = partition
      self.partitionCount = partitionCount
      self.plan = plan
    }

    package var text: String {
      let own = partition.map(String.init) ?? "-"
      let place = partitionCount > 0 ? "\(own)/\(partitionCount)" : "-"
      return "\(kind.rawValue) \(place) \(plan.isEmpty ? "-" : plan)"
    }

    /// Reads a label; `nil` for a text that is none.
    init?(_ text: String) {
      let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 3, let kind = Kind(rawValue: words[0]) else { return nil }
      self.init(kind, plan: words[2] == "-" ? "" : words[2])
      guard words[1] != "-" else { return }
      let numbers = words[1].split(separator: "/")
      guard numbers.count == 2, let count = Int(numbers[1]), count > 0 else { return nil }
      partitionCount = count
      guard numbers[0] != "-" else { return }
      guard let own = Int(numbers[0]), (0..<count).contains(own) else { return nil }
      partition = own
    }
  }

  package let label: Label
  /// The bytes that hold the content.
  package let bytes: [UInt8]
  let content: Range<Int>

  var contentHash: UInt64 {
    var hasher = ByteHasher()
    hasher.add(bytes.span, content)
    return hasher.finished()
  }

  /// The length of the number before a frame.
  package static let lengthSize = 8

  init(_ label: Label, _ content: [UInt8]) {
    self.label = label
    bytes = content
    self.content = content.indices
  }

  /// Creates a frame; the registries have the symbols and terms to which the content refers.
  init(
    _ label: Label, _ registries: Registries = Registries(), write: (inout ExtractWriter) -> Void
  ) {
    var writer = ExtractWriter(registries)
    writer.begin()
    write(&writer)
    self.init(label, writer.bytes)
  }

  /// Reads the content to its end; the registries receive the symbols and terms to which it refers.
  func read(
    _ registries: Registries = Registries(), _ read: (inout ExtractReader) -> Void
  ) throws(StepError) {
    var reader = ExtractReader(registries)
    reader.open(bytes, content)
    read(&reader)
    guard reader.close() else { throw StepError.unreadable(self) }
  }

  /// Returns the bytes of the frame, in parts: the length, the first lines, the content and the checksum.
  package func parts(version: String) -> [[UInt8]] {
    if bytes.starts(with: FileFrame.plainStart) { return [Self.length(bytes.count), bytes] }
    let content = content == bytes.indices ? bytes : Array(bytes[content])
    let (header, checksum) = CacheEntry.headerAndChecksum(
      of: content, name: label.text, version: version)
    let length = Self.length(header.count + content.count + checksum.count)
    return [length, header, content, checksum]
  }

  private static func length(_ length: Int) -> [UInt8] {
    (0..<lengthSize).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }

  /// Reads a frame from its bytes after the length; refuses one of another version.
  package init(_ bytes: [UInt8], version: String) throws(StepError) {
    guard !bytes.starts(with: FileFrame.plainStart) else {
      label = Label(.file)
      self.bytes = bytes
      content = bytes.indices
      return
    }
    guard let name = CacheEntry.name(in: bytes) else {
      throw StepError(.damaged, "found bytes that are no frame, expected a frame of subreport step")
    }
    do throws(CacheEntry.Fault) {
      content = try CacheEntry.content(in: bytes, name: name, version: version)
    } catch {
      switch error {
      case .otherVersion:
        throw StepError(
          .otherVersion,
          "found a frame of another version of subreport, expected one of subreport \(version)")
      case .damaged, .foreign: throw StepError(.damaged, "found a damaged frame")
      }
    }
    guard let label = Label(name) else {
      throw StepError(.damaged, "found a frame with the label \"\(name)\", which no step writes")
    }
    self.label = label
    self.bytes = bytes
  }
}

/// The frames that a step reads, one after another.
package struct FrameSource {
  private let read: () throws -> Frame?
  private var waiting: Frame?

  /// Creates a source; `read` returns the next frame, `nil` after the last.
  package init(_ read: @escaping () throws -> Frame?) { self.read = read }

  package init(_ frames: [Frame]) {
    var rest = frames[...]
    read = { rest.popFirst() }
  }

  /// Creates a source of frames in a stream; `read` returns so many bytes, fewer at the end of the stream.
  package init(version: String, _ read: @escaping (Int) throws -> [UInt8]) {
    self.init {
      let start = try read(Frame.lengthSize)
      if start.isEmpty { return nil }
      let length = start.reversed().reduce(0) { ($0 as UInt64) << 8 | UInt64($1) }
      let cutOff = StepError(.damaged, "the input ends inside a frame")
      guard start.count == Frame.lengthSize else { throw cutOff }
      guard length < 1 << 40 else { throw StepError(.damaged, "found a damaged frame") }
      let bytes = try read(Int(length))
      // The label tells bytes that are no frame from a frame that is cut off.
      let isFrame =
        CacheEntry.name(in: bytes) != nil || bytes.starts(with: FileFrame.plainStart)
      guard bytes.count == length || !isFrame else { throw cutOff }
      return try Frame(bytes, version: version)
    }
  }

  /// Returns the next frame; `nil` after the last.
  package mutating func next() throws -> Frame? {
    defer { waiting = nil }
    return try waiting ?? read()
  }

  mutating func next(_ kind: Frame.Kind, for step: String) throws -> Frame {
    let expected = "\(step) expects a frame \"\(kind.rawValue)\" first"
    guard let frame = try next() else {
      throw StepError(.misplaced, "found no frame; \(expected)")
    }
    guard frame.label.kind == kind else {
      throw StepError(.misplaced, "found a frame \"\(frame.label.kind.rawValue)\"; \(expected)")
    }
    return frame
  }

  /// Returns the next frame if it is of a kind; leaves any other for the next call.
  mutating func next(if kind: Frame.Kind) throws -> Frame? {
    try next { $0.label.kind == kind }
  }

  /// Returns the next frame if it fits; leaves any other for the next call.
  mutating func next(where fits: (Frame) -> Bool) throws -> Frame? {
    waiting = try waiting ?? read()
    guard let frame = waiting, fits(frame) else { return nil }
    waiting = nil
    return frame
  }
}

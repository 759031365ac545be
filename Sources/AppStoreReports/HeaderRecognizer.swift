package import Scanning

/// Recognizes the kind of a file from its first lines.
///
/// Most reports begin with their header. FINANCE_DETAIL, INSTALLS and the payments CSV have a
/// preamble of a few lines before it. A JSON answer is collected to its end.
package struct HeaderRecognizer: Sendable {
  /// The result after a line.
  package enum Step: Equatable, Sendable {
    /// More lines are needed.
    case more
    /// The line was the header, or the file is of an unknown kind.
    case recognized(ReportHeader)
    /// The header cannot be used.
    case failed(HeaderError)
  }

  /// The most bytes of a JSON answer that are collected.
  private static let longestAnswer = 64 << 10
  /// The most lines before a header.
  private static let longestPreamble = 16
  /// The most bytes of a header.
  private static let longestHeader = 16 << 10

  private enum State: Sendable {
    case start
    case preamble(lines: Int)
    case answer
  }

  private var state = State.start
  /// Whether the first line has a year in brackets, as the title of a payments CSV has in every language.
  private var hasYear = false
  private var answer: [UInt8] = []
  private var lastLine = 0

  /// Creates a recognizer for one file.
  package init() {}

  /// Reads the next line.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: The result; after any result but ``Step/more``, do not call again.
  package mutating func feed(_ line: Span<UInt8>, _ place: Line) -> Step {
    lastLine = place.number
    if case .answer = state { return gather(line) }
    let content = trimmed(line, line.indices)
    if case .start = state, !content.isEmpty, line[content.lowerBound] == UInt8(ascii: "{") {
      state = .answer
      return gather(line)
    }
    if hasLoneReturn(line) { return recognizeLines(line) }
    guard !place.isTooLong, line.count <= Self.longestHeader else {
      return .recognized(.unknown([], line: place.number))
    }
    if content.isEmpty { return .more }
    return read(text(line, line.indices))
  }

  /// Returns the result at the end of the file.
  ///
  /// - Returns: ``Step/recognized(_:)`` or ``Step/failed(_:)``.
  package mutating func finish() -> Step {
    switch state {
    case .start: .failed(.empty)
    case .preamble: .recognized(.unknown([], line: lastLine))
    case .answer: recognizeAnswer()
    }
  }

  private mutating func read(_ line: String) -> Step {
    guard case .preamble(let lines) = state else {
      hasYear = bracketsOfPaymentsTitle(line) != nil
      if !isPreamble(line) {
        let step = recognizeHeader(line, line: lastLine)
        guard hasYear, case .recognized(let header) = step, header.kind == .unknown else {
          return step
        }
      }
      state = .preamble(lines: 1)
      return .more
    }
    if hasYear, let header = ReportHeader.payments(line, line: lastLine) {
      return recognizePayments(header)
    }
    let step = recognizeHeader(line, line: lastLine)
    if case .recognized(let header) = step, header.kind == .unknown {
      guard lines < Self.longestPreamble else { return step }
      state = .preamble(lines: lines + 1)
      return .more
    }
    return step
  }

  /// Returns the error of a report whose header is among lines that end in CR, after one that does not.
  private func recognizeLines(_ line: Span<UInt8>) -> Step {
    var lines = self
    let start = text(line, line.indices.prefix(Self.longestHeader))
    for part in start.unicodeScalars.split(separator: "\r") {
      switch lines.read(String(part)) {
      case .recognized(let header) where header.kind != .unknown:
        return .failed(.lineEnds(header.kind))
      case .failed(let error): return .failed(.lineEnds(error.kind))
      case .recognized, .more: break
      }
    }
    return .recognized(.unknown([], line: lastLine))
  }

  private mutating func gather(_ line: Span<UInt8>) -> Step {
    let room = Self.longestAnswer - answer.count
    for offset in 0..<min(room, line.count) { answer.append(line[offset]) }
    answer.append(UInt8(ascii: "\n"))
    return answer.count >= Self.longestAnswer ? recognizeAnswer() : .more
  }

  private func recognizeAnswer() -> Step {
    if let detail = appleErrorDetail(answer) { return .failed(.appleError(detail: detail)) }
    return .recognized(.unknown([], line: 1))
  }
}

/// Returns whether a line is part of a preamble.
private func isPreamble(_ line: String) -> Bool {
  // A spreadsheet may have written other separators, which the header's error names.
  let separator = line.utf8.first { "\t;,".utf8.contains($0) } ?? UInt8(ascii: "\t")
  let cells = separatedCells(line, by: separator)
  let first = comparableName(cells[0])
  if ["vendor name", "start date", "end date"].contains(first) {
    return cells.count { !$0.allSatisfy(\.isWhitespace) } <= 2
  }
  if first.hasPrefix("metric:") { return true }
  let values = separatedCells(line)
  return values.count > 1 && values.dropFirst().allSatisfy { $0.allSatisfy(\.isWhitespace) }
}

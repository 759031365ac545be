import AppStoreReports
import Files
package import Pipeline
import SubscriptionModel

/// The subscription that a story is about.
package struct AskedSubscription: Equatable, Sendable {
  /// The key of the subscriber: see `SubscriberKey`.
  let subscriber: UInt64
  /// The place of a row in the run, if the subscription is named by a row; `nil` for all of the subscriber.
  let row: UInt64?

  /// Finds a subscription.
  ///
  /// - Parameters:
  ///   - text: The id of the subscriber, or `FILE:LINE` of one of its rows.
  ///   - charges: The charges of the run.
  /// - Throws: ``QuestionError`` if there is none, `KeptCharges.LineError` for a file that cannot be read again.
  package init(_ text: String, in charges: KeptCharges) throws {
    if let (file, line) = try Self.place(text, charges) {
      guard let found = try charges.subscriber(ofLine: line, inFile: file) else {
        throw QuestionError(
          "--subscription \(text): this line is no row of a subscriber; line 1 is usually the header"
        )
      }
      (subscriber, row) = (found.key, found.order)
      return
    }
    // The message does not repeat the id: it is personal.
    guard let key = charges.registries.subscriberKey(written: text) else {
      throw QuestionError(
        "--subscription: write the subscriber id as Apple does, digits only, or FILE:LINE of a row")
    }
    (subscriber, row) = (key, nil)
  }

  /// Returns the file and the line that a text names; `nil` for a text without a line.
  private static func place(
    _ text: String, _ charges: KeptCharges
  ) throws(QuestionError) -> (file: Int, line: Int)? {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...])
    else { return nil }
    let path = String(text[..<colon])
    // An id of another form than Apple's may have a colon, too.
    guard path.contains(".") || path.contains("/") else { return nil }
    let found = try index(of: path, asked: text, "Subscriber report", in: charges.files) {
      $0.kind == .subscriber && $0.header != nil
    }
    return (found, line)
  }

  /// Returns the index of the file that a text names.
  ///
  /// - Parameters:
  ///   - path: The text.
  ///   - text: The value of `--subscription`.
  ///   - kind: What the file is, in words.
  ///   - files: The files of the run.
  ///   - isOfKind: Returns whether a file is of that kind.
  /// - Returns: The index.
  /// - Throws: ``QuestionError`` for a name that fits no file, or several, which it lists.
  static func index(
    of path: String, asked text: String, _ kind: String, in files: [RecognizedFile],
    where isOfKind: (RecognizedFile) -> Bool
  ) throws(QuestionError) -> Int {
    let own = files.indices.filter { isOfKind(files[$0]) }.map { ($0, files[$0].file) }
    let found = InputNames.places(of: path, in: own)
    guard let first = found.first else {
      throw QuestionError(
        "--subscription \(text): no \(kind) of the input is \(path); name it as explain lists it"
      )
    }
    guard found.count == 1 else {
      let names = found.map { files[$0].file.relativePath }.joined(separator: ", ")
      throw QuestionError(
        "--subscription \(text): \(found.count) files of the input have this name; choose one: \(names)"
      )
    }
    return first
  }
}

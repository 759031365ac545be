/// The message about a row, without text that may identify a person.
extension Reject {
  /// The texts that messages about a file hide.
  ///
  /// The cells of a damaged row may have moved to other columns, so any text that could be an id, a
  /// token or a mail address is hidden.
  package enum Hidden: Sendable {
    /// Mail addresses: texts with `@`.
    case addresses
    /// Also texts with a number of nine digits or more; dates and prices have fewer.
    case numbers
    /// Also texts of 20 bytes or more, which prices do not have.
    case tokens
  }

  /// Returns the message, such as
  /// `column "Units": found "1,5", expected a whole number such as 1 [not-a-whole-number]`.
  ///
  /// - Parameter hidden: The texts to hide.
  /// - Returns: What was found and what was expected, in lower case and without a full stop.
  package func message(hiding hidden: Hidden) -> String {
    "\(text(hiding: hidden)) [\(code.rawValue)]"
  }

  /// Returns the message without the code.
  package func text(hiding hidden: Hidden) -> String {
    let kind = field == 0 ? "field" : "column"
    let name = column.isEmpty ? "" : "\(kind) \"\(column)\": "
    let found = shown(hiding: hidden, isQuoted: true)
    return "\(name)found \(found), expected \(expected)"
  }

  /// Returns the text found in the row, or only its length if it may identify a person.
  ///
  /// - Parameters:
  ///   - hidden: The texts to hide.
  ///   - isQuoted: Whether to put text of the file in quotes.
  /// - Returns: The description.
  package func shown(hiding hidden: Hidden, isQuoted: Bool = false) -> String {
    switch found {
    case .words(let words): words
    case .text(let text) where !hides(text, hidden): isQuoted ? "\"\(text)\"" : text
    case .text(let text), .personal(let text): "(hidden, \(text.utf8.count) bytes)"
    }
  }

  private func hides(_ text: String, _ hidden: Hidden) -> Bool {
    // A decimal with many decimals is no id.
    code != .tooManyDecimals && hidden.hides(text)
  }

  /// Returns a copy without the text that ``shown(hiding:isQuoted:)`` hides.
  ///
  /// - Parameter hidden: The texts to hide.
  /// - Returns: The copy.
  package func withoutPersonalText(hiding hidden: Hidden) -> Reject {
    guard case .text(let text) = found, hides(text, hidden) else { return self }
    var copy = self
    copy.found = .personal(text)
    return copy
  }
}

extension Reject.Hidden {
  /// The fewest digits of an id: subscriber ids have 13 or more in every file seen.
  private static let shortestID = 9
  /// The fewest bytes of a token.
  private static let shortestToken = 20

  /// Returns whether a text may identify a person.
  fileprivate func hides(_ text: String) -> Bool {
    if text.contains("@") { return true }
    switch self {
    case .addresses: return false
    case .numbers: return Self.hasLongNumber(text)
    case .tokens: return text.utf8.count >= Self.shortestToken || Self.hasLongNumber(text)
    }
  }

  private static func hasLongNumber(_ text: String) -> Bool {
    let numbers = text.split { !$0.isNumber }
    return numbers.contains { $0.count >= Self.shortestID }
  }
}

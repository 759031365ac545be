/// The reason why a question cannot be answered: an unknown table, column or value, or more than one row.
package struct QuestionError: Error, Equatable {
  /// The error, and the text to write instead.
  package let message: String

  package init(_ message: String) { self.message = message }
}

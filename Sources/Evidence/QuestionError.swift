/// A question that cannot be answered, because of how it is asked.
package struct QuestionError: Error, Equatable {
  /// What is wrong, and what to write instead.
  package let message: String

  init(_ message: String) { self.message = message }
}

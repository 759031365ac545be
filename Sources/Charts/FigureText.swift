/// The words of a figure for people who do not see it: a name, and what the figure shows.
package struct FigureText: Hashable, Sendable {
  /// The id of the `svg` element, unique on the page, such as `churn`.
  ///
  /// Bytes other than ASCII letters, digits, `-` and `_` become `-`. Ids inside the figure begin with it.
  package var id: String

  /// The title, such as `Churn rate by month`.
  ///
  /// It is not drawn: the page prints its own heading.
  package var title: String

  /// What the figure shows, in words.
  ///
  /// Such as `Churn rose from 6.0 % to 10.0 %, the highest of twelve months.`
  package var description: String

  /// Creates the words of a figure.
  ///
  /// - Parameters:
  ///   - id: The id, unique on the page.
  ///   - title: The title.
  ///   - description: One or two sentences.
  package init(id: String, title: String, description: String) {
    self.id = id
    self.title = title
    self.description = description
  }
}

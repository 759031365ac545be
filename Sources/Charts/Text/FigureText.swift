/// The words of a figure for people who do not see it: a name, and what the figure shows.
package struct FigureText: Hashable, Sendable {
  /// The id of the `svg` element, unique on the page, such as `churn`.
  ///
  /// Bytes other than ASCII letters, digits, `-` and `_` become `-`. Ids inside the figure begin with it.
  package var id: String

  /// The title, such as `Churn rate by month`.
  ///
  /// Only a file of its own draws it: a page prints its own heading.
  package var title: String

  /// What the values are limited to, such as `only country DE`; blank for none.
  ///
  /// A file draws it below the title.
  package var narrowing: String

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
  ///   - narrowing: What the values are limited to.
  package init(id: String, title: String, description: String, narrowing: String = "") {
    self.id = id
    self.title = title
    self.narrowing = narrowing
    self.description = description
  }

  /// The title with what the values are limited to.
  var wholeTitle: String { narrowing.isEmpty ? title : "\(title) (\(narrowing))" }

  /// The description with what the values are limited to.
  var wholeDescription: String {
    narrowing.isEmpty ? description : "\(description) These are the numbers of \(narrowing)."
  }
}

/// Writes HTML into one growing buffer, and escapes all words.
///
/// Names of elements and attributes are cases of enums, so only values and texts can come from data. Example:
///
///     var page = HTMLWriter()
///     page.element(.p, [.class: "note"]) { page in
///       page.text("a < b, ")
///       page.element(.code, text: "churn.csv")
///     }
///     // <p class="note">a &lt; b, <code>churn.csv</code></p>
package struct HTMLWriter: Sendable {
  /// The HTML so far, as UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// Creates a writer without content.
  package init() {}

  /// Writes an element.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - attributes: Its attributes, in order; those without a value are left out.
  ///   - content: Writes the HTML between the tags.
  package mutating func element(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:],
    _ content: (inout HTMLWriter) -> Void
  ) {
    open(element, attributes)
    content(&self)
    close(element)
  }

  /// Writes an element that holds nothing but words.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - attributes: Its attributes, in order; those without a value are left out.
  ///   - text: The words, not escaped.
  package mutating func element(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:],
    text: String
  ) {
    open(element, attributes)
    self.text(text)
    close(element)
  }

  /// Writes the start of an element; ``close(_:)`` ends it.
  ///
  /// - Parameters:
  ///   - element: The element; one without an end, such as `meta`, needs nothing more.
  ///   - attributes: Its attributes, in order; those without a value are left out.
  package mutating func open(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:]
  ) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: element.rawValue.utf8)
    for (attribute, value) in attributes {
      guard let value else { continue }
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: attribute.rawValue.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      HTMLText.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes the end of an element.
  ///
  /// - Parameter element: The element that was opened last.
  package mutating func close(_ element: HTMLElement) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: element.rawValue.utf8)
    bytes.append(UInt8(ascii: ">"))
    if element.endsLine { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Writes words.
  ///
  /// - Parameter words: The words, not escaped.
  package mutating func text(_ words: String) { HTMLText.append(words, to: &bytes) }

  /// Writes a name, which may be broken after each dot: ids of products have no spaces.
  ///
  /// - Parameter name: The name, not escaped.
  package mutating func name(_ name: String) {
    for (place, part) in name.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      if place > 0 {
        text(".")
        open(.wbr)
      }
      text(String(part))
    }
  }

  /// Writes markup that is already escaped.
  ///
  /// - Parameter markup: A picture made by `Charts`, an embedded style sheet or script, or the bytes of another writer;
  ///   never a text of the data.
  package mutating func markup(_ markup: some Sequence<UInt8>) {
    bytes.append(contentsOf: markup)
  }

  /// Writes a block of data for the script.
  ///
  /// - Parameters:
  ///   - id: The block's id on the page.
  ///   - json: A JSON text.
  package mutating func data(id: String, json: String) {
    open(.script, [.type: "application/json", .id: id])
    HTMLText.append(json: json, to: &bytes)
    close(.script)
  }
}

import SubscriptionModel

/// Reads the `--content` file: CSV `id,published` with optional `app,group,product`.
package enum ContentFile {
  /// Reads content.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The items, in the order of the file.
  /// - Throws: ``TableError`` for the first invalid line.
  package static func read(_ text: String, path: String) throws(TableError) -> [PublishedItem] {
    let table = try UserTable(
      text, path: path, forms: [["id", "published"]],
      expected: "id,published and, if wanted, app,group,product")
    var items: [PublishedItem] = []
    for row in table.rows {
      let published = row["published"]
      guard let instant = Instant(published) ?? Day(published).flatMap(Instant.init(startOf:))
      else {
        throw row.error("published", expected: "a day such as 2026-09-30 or an instant with Z")
      }
      guard !row["id"].isEmpty else { throw row.error("id", expected: "an id") }
      items.append(
        PublishedItem(
          id: row["id"], published: instant, app: row["app"], group: row["group"],
          product: row["product"]))
    }
    return items
  }
}

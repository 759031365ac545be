import Scanning

extension Question.Condition {
  /// Reads conditions.
  ///
  /// - Parameters:
  ///   - texts: Texts such as `path=sales/S_D_80012345_20260105.txt`.
  ///   - table: The name of the table.
  ///   - keys: Its columns that choose a row.
  /// - Returns: The conditions.
  /// - Throws: ``QuestionError`` for a text without a value, another column, or a column named twice.
  package static func read(
    _ texts: [String], of table: String, keys: [String]
  ) throws(QuestionError) -> [Self] {
    var conditions: [Self] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        throw QuestionError(
          "--where \(text): write a column and its value, such as \(keys[0])=…")
      }
      let condition = Self(key: parts[0], value: parts[1])
      guard keys.contains(condition.key) else {
        throw QuestionError(
          "--where \(text): \(table) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: keys))"
        )
      }
      guard !conditions.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      conditions.append(condition)
    }
    return conditions
  }
}

extension [Question.Condition] {
  /// Such as `kind sales and version 1_1`.
  package var words: String {
    map { $0.value.isEmpty ? "no \($0.key)" : "\($0.key) \($0.value)" }.joined(separator: " and ")
  }
}

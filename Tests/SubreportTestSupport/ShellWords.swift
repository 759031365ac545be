/// Splits a command as a shell does: at blanks that stand between no quotes.
///
/// - Parameter command: Such as `subreport explain churn.churned reports --where product='Pro Monthly'`.
/// - Returns: The words without their quotes.
package func shellWords(_ command: String) -> [String] {
  var words: [String] = []
  var word: String?
  var isQuoted = false
  var isEscaped = false
  for character in command {
    if isEscaped {
      word = (word ?? "") + String(character)
      isEscaped = false
    } else if character == "'" {
      isQuoted.toggle()
      word = word ?? ""
    } else if character == "\\", !isQuoted {
      isEscaped = true
    } else if character == " ", !isQuoted {
      if let word { words.append(word) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  return words + (word.map { [$0] } ?? [])
}

import Storage

/// Finds the words most like an unknown one, for messages that ask "did you mean …?".
package enum Nearest {
  /// How many words a message names at most.
  private static let shown = 3
  /// How many letters of a word are compared.
  private static let comparedLetters = 60
  /// How many words are compared; more are not looked at, in alphabetical order.
  private static let comparedWords = 20_000

  /// Returns the words that the user may have meant: those with the fewest mistakes.
  ///
  /// One mistake is a letter too many, too few or wrong, or two swapped neighbours; there may be
  /// one for every three letters. If no word is so near, words that begin with the text are
  /// returned, then words whose beginning, or a word in them, has few mistakes: `Larkspr` finds
  /// `Larkspur Kids`, and `Kids` does too. Case does not matter.
  ///
  /// - Parameters:
  ///   - text: The word that was not found.
  ///   - words: The words to choose from.
  /// - Returns: At most three words, all equally near, in alphabetical order; none when nothing is
  ///   near.
  package static func words(to text: String, among words: some Sequence<String>) -> [String] {
    let wanted = Array(text.prefix(comparedLetters).lowercased())
    let limit = max(wanted.count / 3, wanted.count > 2 ? 1 : 0)
    var candidates = Array(Set(words))
    if candidates.count > comparedWords {
      candidates = Array(candidates.sorted().prefix(comparedWords))
    }
    let near = candidates.compactMap { word -> (distance: Int, different: Int, word: String)? in
      let letters = Array(word.prefix(comparedLetters).lowercased())
      let (whole, beginning) = mistakes(wanted, letters)
      let different = wanted.count - zip(wanted, letters).prefix { $0 == $1 }.count
      if whole <= limit { return (whole, different, word) }
      let isBeginning = wanted.count > 1 && different == 0
      if isBeginning { return (limit + 1, different, word) }
      // Four letters at least: three with one mistake begin too many words.
      guard wanted.count > 3 else { return nil }
      let inside = letters.split { !$0.isLetter && !$0.isNumber }.map {
        mistakes(wanted, Array($0)).whole
      }
      let least = min(beginning, inside.min() ?? .max)
      return least <= limit ? (limit + 2 + least, 0, word) : nil
    }
    // Of words with equally many mistakes, take those with the longest common beginning: for USA, US and not UA.
    let inOrder = near.sorted { $0 < $1 }
    return inOrder.filter { ($0.0, $0.1) == (inOrder[0].0, inOrder[0].1) }.prefix(shown)
      .map(\.word)
  }

  /// Returns the keys that choose one of several rows, none that the keys before it make needless.
  ///
  /// - Parameter rows: The values of each row's keys.
  /// - Returns: The places of the keys, in order.
  package static func keysTellingApart(_ rows: [[String]]) -> [Int] {
    let kinds = { (places: [Int]) in Set(rows.map { row in places.map { row[$0] } }).count }
    let all = Set(rows).count
    var (keys, found) = ([Int](), 1)
    for place in (rows.first ?? []).indices where found < all {
      let own = kinds(keys + [place])
      if own > found { (keys, found) = (keys + [place], own) }
    }
    return keys
  }

  /// Returns the end of a message about an unknown word.
  ///
  /// - Parameters:
  ///   - text: The word that was not found.
  ///   - words: The words to choose from.
  ///   - lead: The words before a list of all words, such as `the data have`; after `use`, the list ends with
  ///     "or".
  ///   - limit: How many words such a list may have.
  /// - Returns: `did you mean "churn"?`, or `use a, b or c` when nothing is near; empty when there
  ///   are too many words to list, or none. For a name that only looks like one of the words: so.
  package static func advice(
    _ text: String, among words: some Sequence<String>, listedAfter lead: String = "use",
    limit: Int = .max
  ) -> String {
    let near = Self.words(to: text, among: words)
    // Equal to Swift, and not found: an accent is a letter's part in one and a letter of its own in the other.
    if near.contains(where: { $0 == text && !$0.isSame(as: text) }) {
      return
        "a name that looks the same is there, with its accents in other bytes: copy it from a table"
    }
    if !near.isEmpty { return "did you mean \(inWords(near.map { quotedExcerpt($0) }, or: true))?" }
    var seen: Set<[UInt8]> = []
    let all = words.filter { seen.insert(Array($0.utf8)).inserted }
    guard !all.isEmpty, all.count <= limit else { return "" }
    return "\(lead) \(inWords(all.map(shellWord), or: lead == "use"))"
  }

  /// Returns `use a, b or c`.
  ///
  /// - Parameter words: The words to choose from.
  /// - Returns: The end of a message.
  package static func choice(_ words: [String]) -> String { "use \(inWords(words, or: true))" }

  /// How many values of a key a message lists.
  private static let mostValues = 20

  /// Returns the option that chooses one of several rows, such as `--where country=… (DE, US)`.
  ///
  /// - Parameters:
  ///   - key: The key that tells the rows apart.
  ///   - values: Its values in order; those after the twentieth are not listed.
  /// - Returns: The option.
  package static func condition(_ key: String, _ values: [String]) -> String {
    let more = values.count > mostValues ? ", … \(values.count) values" : ""
    let listed = values.prefix(mostValues).map(shellWord).joined(separator: ", ")
    return "--where \(key)=… (\(listed)\(more))"
  }

  /// Returns a value as a shell takes it: an empty one in quotes.
  private static func shellWord(_ value: String) -> String { value.isEmpty ? "''" : value }

  /// Returns `a`, `a or b`, or `a, b or c`.
  private static func inWords(_ words: [String], or isChoice: Bool) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + (isChoice ? " or " : " and ") + last
  }

  /// Returns the Levenshtein distance of two words, with two swapped neighbours as one mistake.
  ///
  /// - Returns: The distance to the whole right word, and to the nearest of its beginnings.
  private static func mistakes(
    _ left: [Character], _ right: [Character]
  ) -> (whole: Int, beginning: Int) {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return (last[right.count], last.min() ?? 0)
  }
}

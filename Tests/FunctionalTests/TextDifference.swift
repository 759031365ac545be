/// The lines in which a found text differs from the expected one.
enum TextDifference {
  /// The most changed lines that are shown.
  private static let shownLimit = 40
  /// The most lines in which changes are looked for; the search takes their number squared.
  private static let searchLimit = 2_000

  /// Describes how two texts differ, with line numbers; `nil` if they do not.
  static func description(of file: String, expected: [UInt8]?, found: [UInt8]?) -> String? {
    guard expected != found else { return nil }
    guard let expected else { return "\(file): not expected" }
    guard let found else { return "\(file): expected, but not written" }
    let (old, new) = (lines(of: expected), lines(of: found))
    let same = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old.dropFirst(same), new.dropFirst(same))
    let changes = newRest.prefix(searchLimit).difference(from: oldRest.prefix(searchLimit))
    let shown = changes.prefix(shownLimit).map { change in
      switch change {
      case .remove(let offset, let line, _): "-\(same + offset + 1): \(line)"
      case .insert(let offset, let line, _): "+\(same + offset + 1): \(line)"
      }
    }
    let rest = changes.count > shownLimit ? ["… \(changes.count - shownLimit) more"] : []
    return (["\(file): - expected, + found"] + shown + rest).joined(separator: "\n")
  }

  /// Splits a text after each line feed, so that one missing at the end shows.
  private static func lines(of bytes: [UInt8]) -> [String] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    guard let last = texts.last, !last.isEmpty else { return texts.dropLast() }
    return texts.dropLast() + [last + "(no line feed)"]
  }
}

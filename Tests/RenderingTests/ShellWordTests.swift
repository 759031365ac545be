import Rendering
import Testing

@Suite("The words of commands")
struct ShellWordTests {
  static let words: [(String, String)] = [
    ("reports/2026", "reports/2026"), ("", "''"), ("Pro Monthly", "'Pro Monthly'"),
    ("it's", #"'it'\''s'"#), ("a\u{1B}[1mb", #"$'a\x1B[1mb'"#), ("a\nb\tc", #"$'a\x0Ab\x09c'"#),
    ("it's\u{7F}\\", #"$'it\'s\x7F\\'"#), ("`rm`", #"$'\x60rm\x60'"#),
    // The marks that reverse the direction of text have three bytes.
    ("é\u{202E}", #"$'é\xE2\x80\xAE'"#),
  ]

  /// bash reads the same bytes: `printf %s WORD | od -c`.
  @Test(arguments: words)
  func `are quoted so that a shell reads the same bytes`(word: String, quoted: String) {
    #expect(ShellWord.quoted(word) == quoted)
  }

  @Test(arguments: words)
  func `have no character that a page writes out`(word: String, quoted: String) {
    #expect(VisibleText.of(ShellWord.quoted(word)) == quoted && !quoted.contains("`"))
  }
}

/// A call that a help shows, below the question that it answers.
struct HelpExample {
  let question: String
  /// The words after `subreport`; the folder `reports` stands for the user's.
  let call: String

  init(_ question: String, _ call: String) {
    self.question = question
    self.call = call
  }
}

/// Returns the text of a help above its options: what the command does, then examples.
func discussion(_ text: String, _ examples: HelpExample...) -> String {
  discussion(text, examples)
}

/// Returns the text of a help above its options: what the command does, then examples.
func discussion(_ text: String, _ examples: [HelpExample]) -> String {
  let shown = examples.map { "\($0.question)\n  subreport \($0.call)" }
  return ([text] + shown).joined(separator: "\n\n")
}

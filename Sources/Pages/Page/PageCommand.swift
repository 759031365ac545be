import Pipeline
import SubscriptionModel

/// The commands that print the numbers of a figure, with the options of the run that decide numbers.
///
/// The folder `reports` stands for the inputs: the page must not depend on the place of the files.
struct PageCommand: Sendable {
  private let options: String

  /// Creates the commands of a run.
  ///
  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - app: The app of the page; `nil` for all apps.
  init(_ plan: RunPlan, app: String? = nil) {
    let filters = plan.filters
    let lists: [(String, [String])] = [
      ("--app", app.map { [$0] } ?? filters.apps), ("--group", filters.groups),
      ("--product", filters.products), ("--country", filters.countries),
      ("--billing-plan", filters.billingPlans), ("--contingent", filters.contingent),
      ("--vendor", filters.vendors),
    ]
    var words = lists.flatMap { name, values in values.map { "\(name) \(Self.quoted($0))" } }
    if let asOf = plan.asOf { words.append("--as-of \(asOf)") }
    if plan.monthSystem == .fiscal { words.append("--fiscal") }
    options = words.map { " " + $0 }.joined()
  }

  /// Returns a command line.
  ///
  /// - Parameters:
  ///   - name: The command, such as `churn`.
  ///   - words: Its own options.
  /// - Returns: Such as `subreport churn reports --source events --all-months`.
  func line(_ name: String, _ words: String) -> String {
    "subreport \(name) reports \(words)\(options)"
  }

  /// Returns a word as a shell reads it.
  ///
  /// Quotes are found among bytes: one followed by a combining mark would hide from a search for characters.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain, !word.isEmpty { return word }
    let quote = UInt8(ascii: "'")
    let inside = word.utf8.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
    return "'" + String(decoding: inside, as: UTF8.self) + "'"
  }
}

import Scanning
import SubscriptionModel

extension SubscriptionAnalysis {
  /// Returns the dimensions of a view by their names.
  static func view(_ names: [String]) throws(Failure) -> [Dimension] {
    var view: [Dimension] = []
    for name in names {
      guard let dimension = Dimension(rawValue: name) else {
        let advice = Nearest.advice(name, among: Dimension.allCases.map(\.rawValue))
        throw Failure(code: "unknown-dimension", "no dimension \"\(name)\"; \(advice)")
      }
      guard !view.contains(dimension) else {
        throw Failure(code: "unknown-view", "the view names \(name) twice")
      }
      view.append(dimension)
    }
    return view
  }
}

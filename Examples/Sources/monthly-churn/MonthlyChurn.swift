import SubscriptionMetrics

/// Prints the churn of each month in folders of reports: `monthly-churn FOLDER…`.
@main
struct MonthlyChurn {
  static func main() throws {
    let folders = Array(CommandLine.arguments.dropFirst())
    let analysis = try SubscriptionAnalysis(reports: folders)
    for row in try analysis.table(.churn).rows {
      // A month before the first report has no rate.
      guard case .ratio(let churned, let active)? = row["churn_rate"] else { continue }
      let key = "\(row.text("month")) \(row.text("source"))"
      print("\(key): \(churned) of \(active), \(row.text("churn_rate")), \(row.text("state"))")
    }
    for problem in analysis.problems { print("note: \(problem)") }
  }
}

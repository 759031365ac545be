import Metrics
import SubscriptionModel

/// What a run says about products of one year that are paid in monthly instalments: they cannot be counted yet.
struct Instalments {
  /// A product that a source has shown to be paid in instalments.
  private struct Finding {
    var source: Source
    var name: String
    var subscriptions: Int
  }

  private let findings: [Finding]
  /// Sources that have the same products and cannot show how they are paid.
  private let otherSources: [Source]

  init(_ result: RunResult) {
    findings = result.sources.flatMap { report in
      report.instalments.filter { report.tally.admits($0.product) }.map { sold in
        Finding(
          source: report.source, name: result.names.product(sold.product),
          subscriptions: sold.subscriptions)
      }
    }.sorted { ($0.source, $0.name) < ($1.source, $1.name) }
    otherSources =
      findings.contains { $0.source == .subscribers }
      ? result.sources.map(\.source).filter { $0 == .events || $0 == .sales } : []
  }

  private static let consequence =
    "this version cannot count instalments yet, so its rows of churn, renewals, lapses and retention are `partial`, and no price change of it is reported"

  /// A line for each product, for a terminal.
  var sentences: [String] {
    findings.map {
      "\($0.name) is a product of one year and is paid in monthly instalments: \(counted($0.subscriptions, "subscription")) of \($0.source.rawValue) were charged twice 25 to 35 days apart; \(Self.consequence.replacing("`", with: ""))"
    }
  }

  /// A line for each product, in Markdown.
  func lines(escaped: (String) -> String) -> [String] {
    findings.map {
      "**Paid in instalments:** \(escaped($0.name)) is a product of one year, and \(counted($0.subscriptions, "subscription")) of `\($0.source.rawValue)` were charged for it twice 25 to 35 days apart; \(Self.consequence)."
    }
  }

  /// The rows of health.csv.
  var healthRows: [[ReportTable.Cell]] {
    findings.map {
      RunResult.healthRow(
        $0.source.rawValue,
        note:
          "\($0.name) is paid in instalments: \(counted($0.subscriptions, "subscription")) charged twice 25 to 35 days apart; its rows are partial"
      )
    }
      + otherSources.flatMap { source in
        findings.filter { $0.source == .subscribers }.map {
          RunResult.healthRow(
            source.rawValue, note: "\($0.name) is paid in instalments: counts may be instalments")
        }
      }
  }
}

extension RunResult {
  /// What is to be said of products that are paid in monthly instalments, one line each.
  public var instalmentNotes: [String] { Instalments(self).sentences }
}

import Counting
package import Pipeline
package import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The numbers of a run for monitoring: `report --openmetrics`.
package struct RunMetrics: Sendable {
  /// A family about the run or its input; the raw values are the names.
  package enum Name: String, CaseIterable, Sendable {
    case missing = "subreport_days_missing"
    case accepted = "subreport_days_missing_accepted"
    case pending = "subreport_days_pending"
    case rowsRead = "subreport_rows_read"
    case rowsRejected = "subreport_rows_rejected"
    case unusable = "subreport_files_unusable"
    case asOf = "subreport_data_as_of_timestamp_seconds"
    case age = "subreport_data_age_seconds"
    case exitCode = "subreport_run_exit_code"
    case written = "subreport_run_report_written"
    case end = "subreport_run_timestamp_seconds"
    case duration = "subreport_run_duration_seconds"

    /// What the numbers are, for the line of help and docs/monitoring.md.
    package var help: String {
      switch self {
      case .missing: "Days without a report of a kind, accepted ones too."
      case .accepted: "Days without a report that [accept] in subreport.toml names."
      case .pending: "Days whose report may only be late."
      case .rowsRead: "Rows of all files."
      case .rowsRejected: "Rows that are in no number, because a value is impossible."
      case .unusable: "Files and folders that could not be read or are damaged."
      case .asOf: "End of the last day up to which the data of a source are complete, in UTC."
      case .age: "Seconds from that day to the end of the run."
      case .exitCode: "Exit code of report."
      case .written: "1 if the run replaced the folder of report, else 0."
      case .end: "End of the run."
      case .duration: "Seconds from the start of the run to its end."
      }
    }

    fileprivate var unit: String? { rawValue.hasSuffix("_seconds") ? "seconds" : nil }
  }

  /// The beginning of the names of headline numbers, which is followed by the figure of `headlines.csv`.
  package static let headlinePrefix = "subreport_headline_"

  /// The names of all families that a run can write.
  package static let names =
    Name.allCases.map(\.rawValue)
    + (Headline.allCases.map(\.rawValue) + RevenueHeadlines.figures).unique.map {
      headlinePrefix + $0
    }

  package struct End: Sendable {
    let exitCode: Int32
    /// The time of the end, in seconds since 1970.
    let time: Double
    /// The duration in seconds.
    let duration: Double
    /// Whether the folder of `report` was replaced.
    let isWritten: Bool

    package init(exitCode: Int32, time: Double, duration: Double, isWritten: Bool) {
      (self.exitCode, self.time, self.duration) = (exitCode, time, duration)
      self.isWritten = isWritten
    }
  }

  /// The families in the order of the file.
  package let families: [GaugeFamily]

  /// Collects the numbers of a run, which may have ended before it read anything, or without a report.
  package init(_ result: RunResult?, headlines: ReportTable?, end: End) {
    families =
      Self.headlines(headlines) + (result.map { Self.input($0, at: end.time) } ?? [])
      + [
        Self.family(.exitCode, [.init([:], String(end.exitCode))]),
        Self.family(.written, [.init([:], end.isWritten ? "1" : "0")]),
        Self.family(.end, [.init([:], Self.seconds(end.time))]),
        Self.family(.duration, [.init([:], Self.seconds(end.duration))]),
      ]
  }

  private static func family(_ name: Name, _ samples: [GaugeFamily.Sample]) -> GaugeFamily {
    GaugeFamily(name.rawValue, unit: name.unit, help: name.help, samples)
  }

  /// Returns seconds with two or three decimals, as amounts have them.
  private static func seconds(_ value: Double) -> String {
    NumberStyle.money(milliunits: Int128((value * 1_000).rounded()))
  }

  private static func headlines(_ table: ReportTable?) -> [GaugeFamily] {
    let rows = (table?.namedRows ?? []).filter { $0.cell("value") != .missing }
    return rows.map { $0.text("figure") }.unique.map { figure in
      let own = rows.filter { $0.text("figure") == figure }
      return GaugeFamily(
        headlinePrefix + figure, help: "\(figure) of headlines.csv; METRICS.md, section 12.",
        own.map { row in
          .init(
            [
              "source": row.text("source"), "month": row.text("month"),
              "currency": row.text("currency"), "state": row.text("state"),
            ], row.cell("value").machineText)
        })
    }
  }

  private static func input(_ result: RunResult, at time: Double) -> [GaugeFamily] {
    let days = result.days
    let places = days.entries.map {
      [$0.kind, days.hasSeveralVendors($0.kind) ? $0.vendor : ""]
    }.unique
    let count = { (isCounted: (DayCoverage.Entry) -> Bool) in
      places.map { place in
        let own = days.entries.filter { entry in
          entry.kind == place[0] && ["", entry.vendor].contains(place[1]) && isCounted(entry)
        }
        return GaugeFamily.Sample(
          ["kind": place[0], "vendor": place[1]], "\(DayCoverage.count(own))")
      }
    }
    let ends = result.sources.map { report in
      (report.source.rawValue, Double(report.completeness.asOf.number + 1) * 86_400)
    }
    return [
      family(.missing, count { $0.state == .missing }), family(.accepted, count(days.isAccepted)),
      family(.pending, count { $0.state == .pending }),
      family(.rowsRead, [.init([:], "\(result.files.map(\.rows.read).reduce(0, +))")]),
      family(.rowsRejected, [.init([:], "\(result.rejectedRows)")]),
      family(.unusable, [.init([:], "\(result.fileDiagnostics.count)")]),
      family(.asOf, ends.map { .init(["source": $0.0], seconds($0.1)) }),
      family(.age, ends.map { .init(["source": $0.0], seconds(max(0, time - $0.1))) }),
    ]
  }
}

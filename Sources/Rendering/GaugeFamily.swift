/// Numbers of one name for Prometheus, such as the missing days of each kind of report.
///
/// Their text is OpenMetrics and also the text format of Prometheus, which node_exporter's textfile collector reads: both
/// have gauges without a time, and for Prometheus the lines of units and of the end are comments.
package struct GaugeFamily: Sendable {
  /// A number and the labels that tell it from the others of its family.
  package struct Sample: Sendable {
    let labels: [(name: String, value: String)]
    let value: String

    /// Creates a sample; blank labels are left out, because Prometheus takes them for labels that are not there.
    package init(_ labels: KeyValuePairs<String, String>, _ value: String) {
      self.labels = labels.filter { !$0.value.isEmpty }.map { (name: $0.key, value: $0.value) }
      self.value = value
    }
  }

  /// The name, such as `subreport_run_duration_seconds`.
  package let name: String
  let unit: String?
  let help: String
  package let samples: [Sample]

  /// Creates a family.
  ///
  /// `name` ends in the unit if there is one. `help` is one line without quotes, which the two formats escape
  /// otherwise.
  package init(_ name: String, unit: String? = nil, help: String, _ samples: [Sample]) {
    (self.name, self.unit, self.help, self.samples) = (name, unit, help, samples)
  }

  /// Returns the text of some families, up to `# EOF`; those without a number are left out.
  package static func text(of families: [GaugeFamily]) -> String {
    families.filter { !$0.samples.isEmpty }.map(\.text).joined() + "# EOF\n"
  }

  private var text: String {
    var lines = ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
    if let unit { lines.append("# UNIT \(name) \(unit)") }
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      let set = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      lines.append("\(name)\(set) \(sample.value)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a label's value with control characters written out, and with `\` and `"` escaped.
  private static func escaped(_ text: String) -> String {
    VisibleText.of(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

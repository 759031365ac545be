import ArgumentParser

/// The option for the bridges that `reconcile` prints.
struct BridgeOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("product: the bridges of each product.", valueName: "dim"),
    completion: .list(["product"]))
  var by: [String] = []

  @Flag(help: "On a terminal every line of each bridge, not a row for each.")
  var lines = false

  /// Refuses unknown views, and options that exclude each other.
  func validate(with output: OutputOptions, _ journal: JournalOptions) throws(UsageError) {
    guard by.allSatisfy({ $0 == "product" }) else {
      throw UsageError("--by \(by.joined(separator: " ")): reconcile knows only --by product")
    }
    guard journal.export == nil || (by.isEmpty && output.format == nil) else {
      throw UsageError("--export writes one journal, so leave out --by and --format")
    }
  }
}

/// The option for printing bridges as a journal.
struct JournalOptions: ParsableArguments {
  /// The form of a journal.
  enum Export: String, ExpressibleByArgument, CaseIterable {
    /// For the program hledger.
    case hledger
    /// As CSV.
    case journal
  }

  @Option(.export) var export: Export?
}

import ArgumentParser

/// The options for the bridges that `reconcile` prints, and for printing them as a journal.
struct BridgeOptions: ParsableArguments {
  /// The program that a journal is written for.
  enum Export: String, ExpressibleByArgument, CaseIterable {
    case hledger
  }

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("product: the bridges of each product.", valueName: "dim"),
    completion: .list(["product"]))
  var by: [String] = []

  @Option(.export) var export: Export?

  /// Refuses unknown views, and options that exclude each other.
  func validate(with output: OutputOptions) throws(UsageError) {
    guard by.allSatisfy({ $0 == "product" }) else {
      throw UsageError("--by \(by.joined(separator: " ")): reconcile knows only --by product")
    }
    guard export == nil || (by.isEmpty && output.format == nil) else {
      throw UsageError("--export writes one journal, so leave out --by and --format")
    }
  }
}

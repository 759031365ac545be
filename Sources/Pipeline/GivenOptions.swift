/// The inputs and options of a run as the user gave them, from which pages make the commands that print their numbers.
package struct GivenOptions: Equatable, Sendable {
  /// An option that numbers depend on.
  package struct Option: Equatable, Sendable {
    /// The name on the command line, such as `--country`.
    package var name: String
    /// The values, each with the option before it; none for an option without a value.
    package var values: [String]
    /// The commands that know the option, such as `churn`.
    package var commands: Set<String>

    package init(_ name: String, _ values: [String], commands: Set<String>) {
      self.name = name
      self.values = values
      self.commands = commands
    }
  }

  /// Files and folders; of an absolute path only the last part.
  package var inputs: [String]
  /// The options, wherever they were set: on the command line, in the environment or in a config file.
  package var options: [Option]

  /// Creates the inputs and options of a run.
  ///
  /// - Parameters:
  ///   - inputs: Files and folders.
  ///   - options: The options that numbers depend on.
  package init(inputs: [String], options: [Option]) {
    self.inputs = inputs
    self.options = options
  }
}

/// The lines that an example prints.
final class Printed {
  private(set) var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

import Scanning

extension CommandLine {
  /// The program's name and the words after it, in which file names need not be UTF-8.
  static var words: [String] {
    (0..<Int(argc)).map { index in
      // Safe: the system passes `argc` words, each ending with a zero byte, that last as long as the program runs.
      guard let word = unsafe unsafeArgv[index] else { return "" }
      return unsafe SystemPath.text(ofCString: word)
    }
  }
}

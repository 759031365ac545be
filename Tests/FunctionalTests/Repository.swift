/// The repository that the tests were built from.
enum Repository {
  /// The path of the repository's root, without a slash at its end.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")
}

package import Files

/// The reason why a folder cannot be used as a cache.
package enum CacheError {
  /// The folder is not a cache.
  case notACache
  /// The cache or something in it belongs to another user.
  case ofAnotherUser
  /// Other users can write to the cache or to something in it.
  case openToOthers

  /// Returns the error of a folder, or of something in it.
  package func of(_ path: String) -> OutputError {
    let reason: ExitReason = self == .notACache ? .unusableInput : .usage
    return .unusableFolder(path: path, .init(code: code, message: message, reason: reason))
  }

  private var code: String {
    switch self {
    case .notACache: "not-a-cache"
    case .ofAnotherUser: "cache-of-another-user"
    case .openToOthers: "cache-open-to-others"
    }
  }

  private var message: String {
    switch self {
    case .notACache:
      "this is no cache; name one that subreport made, or a new or empty folder"
    case .ofAnotherUser:
      "this belongs to another user, who could change your numbers; name a folder of your own"
    case .openToOthers:
      "other users can write to this and change your numbers; remove the cache, or name another folder"
    }
  }
}

package import Files
import Scanning

/// The reason why a folder cannot be used as a cache.
package enum CacheError: Equatable {
  /// The folder is not a cache.
  case notACache
  /// The cache or something in it belongs to another user, of this number.
  case ofUser(UInt32?)
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
    case .ofUser: "cache-of-another-user"
    case .openToOthers: "cache-open-to-others"
    }
  }

  private var message: String {
    switch self {
    case .notACache:
      "this is no cache, or its file CACHEDIR.TAG is damaged; name one that subreport made, or a new or empty folder"
    case .ofUser(let user): Self.message(ofUser: user)
    case .openToOthers:
      "other users can write to this and change your numbers; remove the cache, or name another folder"
    }
  }

  /// Returns the message about a cache of another user: it names the user, and how to run the program as that user.
  private static func message(ofUser user: UInt32?) -> String {
    guard let user else {
      return
        "this belongs to another user, who could change your numbers; name a folder of your own"
    }
    let name = userName(of: user)
    let whose = "this belongs to user \(name ?? String(user)), who could change your numbers"
    // No one should run the program as root for the sake of a cache.
    guard let name, user != 0 else { return "\(whose); name a folder of your own" }
    let words = "-u \(name) -- subreport …"
    let call = SystemProcess.user == 0 ? "runuser \(words)" : "sudo \(words)"
    return "\(whose); run as that user (\(call)), or name a folder of your own"
  }
}

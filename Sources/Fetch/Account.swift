import Crypto
import FoundationEssentials
package import SubscriptionModel

/// An account at Apple: its keys, vendors and apps, and what to fetch.
package struct FetchAccount: Sendable {
  /// The name; blank for the only account.
  package var name = ""
  package var folder: String
  package var vendors: [String] = []
  /// The team key of App Store Connect.
  package var key: SigningKey?
  /// Whether there is a team key, read or not.
  package var hasKey = false
  /// The In-App Purchase key, for the Server API.
  package var appKey: SigningKey?
  package var bundles: [String] = []
  package var kinds: [FetchKind] = FetchKind.usual
  package var isSandbox = false
  /// Why a key cannot be used; the other accounts go on.
  package var keyFault: FetchError?
  /// The most requests in a minute; 0 for no limit.
  package var requestsPerMinute = 240
  /// The most customers of the history, of each app in a run.
  package var mostCustomers = 10_000
  /// A server of tests in place of Apple's, on a loopback address.
  package var endpoint: String?

  package init(folder: String) { self.folder = folder }

  /// The start of its lines: the name, where there are several accounts.
  package var prefix: String { name.isEmpty ? "" : name + ": " }

  /// Where App Store Connect answers.
  var connect: String { endpoint ?? "https://api.appstoreconnect.apple.com" }

  /// Where the Server API answers.
  var server: String {
    endpoint
      ?? (isSandbox
        ? "https://api.storekit-sandbox.apple.com" : "https://api.storekit.apple.com")
  }

  /// The kinds of reports that have a team key and a vendor.
  var reportKinds: [FetchKind] {
    key == nil && !hasKey ? [] : kinds.filter { $0.service != .server }.sorted()
  }

  /// The setting that a key lacks, in a line; `nil` for none.
  var missingSetting: String? {
    if key != nil, !reportKinds.isEmpty, vendors.isEmpty {
      return "no vendor number: vendors below [fetch] names it"
    }
    if bundles.isEmpty, has(.notifications) || has(.history) {
      return "no bundle id: bundle_ids below [fetch] names the apps"
    }
    return nil
  }

  /// Whether a kind of the Server API is fetched.
  func has(_ kind: FetchKind) -> Bool { appKey != nil && kinds.contains(kind) }
}

/// The options of a run.
package struct FetchOptions: Sendable {
  /// The first day to request; `nil` for all that are to be had.
  package var since: Day?
  /// The days to request again.
  package var reasked: ClosedRange<Day>?
  /// Whether to request reports before they are due, or twice within half an hour.
  package var isForced = false
  /// The ids of customers for the history.
  package var customers: [String] = []
  /// Whether to show each request.
  package var isVerbose = false
  /// Whether the user accepts that a daily report is missing: no message and no exit code is about it.
  package var isAccepted: @Sendable (FetchKey) -> Bool = { _ in false }
  /// The seed of the pauses between tries.
  package var seed: UInt64 = 1

  package init() {}
}

/// A private key of App Store Connect, held in memory only.
package struct SigningKey: Sendable {
  package let id: String
  package let issuer: String
  private let key: P256.Signing.PrivateKey

  /// Creates a key from the text of a `.p8` file, in PEM; `nil` if that is no P-256 private key.
  package init?(id: String, issuer: String, text: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else { return nil }
    (self.id, self.issuer, self.key) = (id, issuer, key)
  }

  /// Returns a token: a JWT with ES256, whose signature is r and s, not DER.
  ///
  /// The time is that at Apple, in seconds since 1970; `bundle` is the app, for the Server API.
  func token(at seconds: Int64, bundle: String?) -> String {
    let header = #"{"alg":"ES256","kid":"\#(id)","typ":"JWT"}"#
    let app = bundle.map { #","bid":"\#($0)""# } ?? ""
    let begin = seconds - 60
    let claims =
      #"{"iss":"\#(issuer)","iat":\#(begin),"exp":\#(begin + 600),"aud":"appstoreconnect-v1"\#(app)}"#
    let text = Self.encoded(Array(header.utf8)) + "." + Self.encoded(Array(claims.utf8))
    guard let signature = try? key.signature(for: Array(text.utf8)) else {
      preconditionFailure("a P-256 key signs")
    }
    return text + "." + Self.encoded(Array(signature.rawRepresentation))
  }

  /// Returns bytes in Base64 with `-` and `_`, without padding.
  private static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// The tokens of a key for all requests of a run, each used for 8 of its 10 minutes.
final class Tokens {
  private let key: SigningKey
  private let bundle: String?
  private var current: (text: String, made: Int64)?
  /// Counts the tokens, to recognize answers to an older one.
  private(set) var number = 0

  private static let use: Int64 = 480

  init(_ key: SigningKey, bundle: String? = nil) { (self.key, self.bundle) = (key, bundle) }

  var keyID: String { key.id }

  /// Returns the token for a time at Apple, in seconds since 1970.
  func token(at seconds: Int64) -> String {
    if let current, current.made...current.made + Self.use ~= seconds { return current.text }
    let text = key.token(at: seconds, bundle: bundle)
    current = (text, seconds)
    number += 1
    return text
  }

  /// Makes a new token for the next request.
  func renew() { current = nil }
}

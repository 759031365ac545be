import Crypto
import FoundationEssentials

/// A private key of App Store Connect, held in memory only.
package struct SigningKey: Sendable {
  package let id: String
  package let issuer: String
  private let key: P256.Signing.PrivateKey

  /// Creates a key from the text of a `.p8` file; `nil` if that is no P-256 private key.
  ///
  /// - Parameters:
  ///   - id: The key id.
  ///   - issuer: The issuer id.
  ///   - text: The text, in PEM.
  package init?(id: String, issuer: String, text: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else { return nil }
    (self.id, self.issuer, self.key) = (id, issuer, key)
  }

  /// Returns a token: a JWT with ES256, whose signature is r and s, not DER.
  ///
  /// - Parameters:
  ///   - seconds: The time at Apple, in seconds since 1970.
  ///   - bundle: The app, for the Server API.
  /// - Returns: The token.
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
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    var (value, bits) = (0, 0)
    for byte in bytes {
      (value, bits) = (value << 8 | Int(byte), bits + 8)
      while bits >= 6 {
        bits -= 6
        text.append(letters[value >> bits & 63])
      }
      value &= 63
    }
    if bits > 0 { text.append(letters[value << (6 - bits) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The tokens of a key, each used for 8 of its 10 minutes.
struct Tokens {
  private let key: SigningKey
  private let bundle: String?
  private var current: (text: String, made: Int64)?
  /// Counts the tokens, to recognize answers to an older one.
  private(set) var number = 0

  private static let use: Int64 = 480

  init(_ key: SigningKey, bundle: String? = nil) { (self.key, self.bundle) = (key, bundle) }

  /// Returns the token for a time at Apple, in seconds since 1970.
  mutating func token(at seconds: Int64) -> String {
    if let current, current.made...current.made + Self.use ~= seconds { return current.text }
    let text = key.token(at: seconds, bundle: bundle)
    current = (text, seconds)
    number += 1
    return text
  }

  /// Makes a new token for the next request.
  mutating func renew() { current = nil }
}

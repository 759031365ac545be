import Crypto
import Scanning

/// Hashes and counts the stored bytes of a file while it is read.
final class StoredHash {
  private var hash = SHA256()
  private let progress: RunProgress
  private let path: String

  init(of path: String, _ progress: RunProgress) {
    self.path = path
    self.progress = progress
  }

  func update(_ bytes: Span<UInt8>) {
    hash.update(bytes)
    progress.addBytes(bytes.count)
    progress.reach(.reading, path)
  }

  func hexadecimalDigits() -> String { hexadecimal(hash.finalize()) }
}

/// Returns the SHA-256 of a file's stored bytes as hexadecimal digits; `nil` when it cannot be read to its end.
package func storedHash(of path: String) -> String? {
  var hash = SHA256()
  do throws(ScanError) {
    try StoredContent.forEachBlock(of: path) { hash.update($0) }
  } catch {
    return nil
  }
  return hexadecimal(hash.finalize())
}

/// Returns the SHA-256 of a damaged file's bytes: of a zip's member that of its packed bytes; `nil` if there is none.
func hashOfDamaged(_ path: String) -> String? {
  storedHash(of: path) ?? ZipMember(path: path)?.packedBytes.map(sha256)
}

package func sha256(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

/// Returns bytes as lower-case hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.underestimatedCount)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

extension SHA256 {
  mutating func update(_ bytes: Span<UInt8>) {
    // Safe: the buffer is read within the call, while the span keeps the bytes alive.
    unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }
}

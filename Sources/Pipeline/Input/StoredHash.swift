import Crypto
import Glibc
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

/// Returns the SHA-256 of a file's stored bytes as hexadecimal digits.
///
/// - Parameter path: The file.
/// - Returns: `nil` when the file cannot be read to its end.
package func storedHash(of path: String) -> String? {
  // Safe: the descriptor is closed below; the calls write at most the block's length.
  let descriptor = unsafe open(SystemPath.bytes(of: path), O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var hash = SHA256()
  var block = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = unsafe read(descriptor, &block, block.count)
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { return nil }
    if count == 0 { return hexadecimal(hash.finalize()) }
    hash.update(block.span.extracting(0..<count))
  }
}

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

import Receipts
import SubreportTestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder of real receipts, or nil where it is not there.
let receiptFixtures = fixtureFolder("receipts/")

/// Reads a file of that folder.
func fixture(_ name: String) throws -> [UInt8] {
  guard let receiptFixtures else { return [] }
  // Safe: the descriptor is closed below; the calls write at most the block's length.
  let descriptor = unsafe open(receiptFixtures + name, O_RDONLY | O_CLOEXEC)
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe read(descriptor, &block, block.count)
    guard count > 0 else { return bytes }
    bytes += block[..<count]
  }
}

/// Reads a file of that folder that is base64.
func base64Fixture(_ name: String) throws -> [UInt8] { try decoded(fixture(name)) }

/// Decodes base64.
func decoded(
  _ text: [UInt8], _ alphabet: Base64.Alphabet = .standard
) throws(EncodingFault) -> [UInt8] {
  var bytes: [UInt8] = [1, 2, 3]
  try Base64.decode(text.span, 0..<text.count, alphabet, into: &bytes)
  return bytes
}

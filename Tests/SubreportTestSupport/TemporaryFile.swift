import Glibc

/// A file that lasts as long as a test needs it.
package struct TemporaryFile: ~Copyable {
  /// Where it is.
  package let path: String

  /// Writes the file.
  ///
  /// - Parameter bytes: What it holds.
  package init(_ bytes: [UInt8]) {
    var template = Array((Files.temporary + "/subreport-tests-XXXXXX").utf8CString)
    // Safe: the template ends in a zero, and write reads no more than the array holds.
    let file = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    precondition(file >= 0, "cannot make a temporary file")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(file, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      precondition(count > 0, "cannot write a temporary file")
      written += count
    }
    _ = close(file)
  }

  deinit { _ = unsafe unlink(path) }
}

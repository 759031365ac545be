import Glibc
import Scanning

/// Creates files without a name, which vanish when the process ends.
package enum TemporaryFile {
  /// The folder for temporary files: `TMPDIR`, or `/tmp`.
  package static var folder: String {
    // Safe: the text is copied before anything can change the environment.
    guard let text = unsafe getenv("TMPDIR").map({ unsafe String(cString: $0) }), !text.isEmpty
    else { return "/tmp" }
    return text
  }

  /// Creates a temporary file, open for reading and writing.
  package static func open(in folder: String) throws(OutputError) -> Int32 {
    var path = SystemPath.bytes(of: folder + "/subreport-XXXXXX")
    // Safe: mkstemp changes the last letters of the path, which ends in a zero, and unlink reads it.
    let descriptor = unsafe path.withUnsafeMutableBufferPointer { path in
      guard let start = path.baseAddress else { return Int32(-1) }
      let descriptor = unsafe mkstemp(start)
      if descriptor >= 0 { _ = unsafe unlink(start) }
      return descriptor
    }
    guard descriptor >= 0 else {
      throw .system(operation: "make a temporary file", path: folder, number: errno)
    }
    return descriptor
  }
}

import Glibc
import Scanning

/// Copies inputs that can be read only once, such as pipes, to an unnamed temporary file.
///
/// A report is read twice: once to recognize it, once for its rows.
enum Spool {
  /// Copies a pipe or a device.
  static func copy(_ input: String) -> Result<InputFile, InputError> {
    // Safe: the descriptor is closed below.
    let descriptor = unsafe open(SystemPath.bytes(of: input), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      return .failure(error(input, "cannot-open", "cannot open it: \(OutputError.text(of: errno))"))
    }
    defer { close(descriptor) }
    return copy(descriptor, as: input)
  }

  /// Copies an open file to its end.
  static func copy(_ source: Int32, as input: String) -> Result<InputFile, InputError> {
    let folder = TemporaryFile.folder
    let descriptor: Int32
    do throws(OutputError) {
      descriptor = try TemporaryFile.open(in: folder)
    } catch {
      let message = "cannot make a temporary file for it in \(folder): \(error.reasonText)"
      return .failure(self.error(input, "cannot-open", message))
    }
    if let error = copy(source, to: descriptor, folder, as: input) {
      close(descriptor)
      return .failure(error)
    }
    let path = "/proc/self/fd/\(descriptor)"
    return .success(
      InputFile(
        path: path, shownPath: SystemPath.shown(input), relativePath: "-", isNamed: true,
        status: FileStatus(of: path)))
  }

  private static func copy(
    _ source: Int32, to target: Int32, _ folder: String, as input: String
  ) -> InputError? {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      // Safe: the call writes at most as many bytes as the block has.
      let count = unsafe read(source, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 {
        let reason = OutputError.text(of: errno)
        return error(input, "cannot-read", "cannot read on at byte \(total): \(reason)")
      }
      if count == 0 { return nil }
      total += count
      do throws(OutputError) {
        try OutputFileSystem.write(Array(block[..<count]), to: target, path: folder)
      } catch {
        let message = "cannot keep a copy of it in \(folder): \(error.reasonText)"
        return self.error(input, "cannot-read", message)
      }
    }
  }

  private static func error(_ input: String, _ code: String, _ message: String) -> InputError {
    InputError(path: SystemPath.shown(input), code: code, message: message)
  }
}

import Scanning
import SystemPackage

/// Copies inputs that can be read only once, such as pipes, to an unnamed temporary file.
///
/// A report is read twice: once to recognize it, once for its rows.
enum Spool {
  /// Copies a pipe or a device.
  static func copy(_ input: String) -> Result<InputFile, InputError> {
    let source: FileDescriptor
    do throws(OutputError) {
      source = try OutputFileSystem.call("open", input) {
        try FileDescriptor(opening: input, .readOnly)
      }
    } catch {
      return .failure(self.error(input, "cannot-open", "cannot open it: \(error.reasonText)"))
    }
    defer { try? source.close() }
    return copy(source, as: input)
  }

  static func copyStandardInput(as input: String) -> Result<InputFile, InputError> {
    copy(.standardInput, as: input)
  }

  /// Copies an open file to its end.
  private static func copy(
    _ source: FileDescriptor, as input: String
  ) -> Result<InputFile, InputError> {
    let folder = TemporaryFile.folder
    let descriptor: FileDescriptor
    do throws(OutputError) {
      descriptor = try TemporaryFile.open(in: folder)
    } catch {
      let message = "cannot make a temporary file for it in \(folder): \(error.reasonText)"
      return .failure(self.error(input, "cannot-open", message))
    }
    if let error = copy(source, to: descriptor, folder, as: input) {
      try? descriptor.close()
      return .failure(error)
    }
    let path = "/proc/self/fd/\(descriptor.rawValue)"
    return .success(
      InputFile(
        path: path, shownPath: SystemPath.visible(input), relativePath: "-", isNamed: true,
        status: FileStatus(of: path)))
  }

  private static func copy(
    _ source: FileDescriptor, to target: FileDescriptor, _ folder: String, as input: String
  ) -> InputError? {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    let isDevice = source.isDevice
    while true {
      let count: Int
      do throws(OutputError) {
        count = try OutputFileSystem.call("read", input) { try source.fill(&block) }
      } catch {
        let message = "cannot read on at byte \(total): \(error.reasonText)"
        return self.error(input, "cannot-read", message)
      }
      // `/dev/null` ends here.
      if count == 0 { return nil }
      if isDevice {
        let message = "found a device, expected a file, a folder or a pipe"
        return self.error(input, "cannot-open", message)
      }
      total += count
      do throws(OutputError) {
        try OutputFileSystem.call("write", folder) { try target.writeAll(block[..<count]) }
      } catch {
        let message = "cannot keep a copy of it in \(folder): \(error.reasonText)"
        return self.error(input, "cannot-read", message)
      }
    }
  }

  private static func error(_ input: String, _ code: String, _ message: String) -> InputError {
    InputError(path: SystemPath.visible(input), code: code, message: message)
  }
}

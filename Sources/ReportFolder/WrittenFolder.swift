import Files
import Pipeline

/// A folder that `report -o DIR` wrote, read in place of its inputs.
package struct WrittenFolder: Sendable {
  package let path: String
  package let manifest: Manifest

  /// Why a file of the folder cannot be used: one line that names it, with what to do.
  package struct FileError: Error, Equatable {
    package let line: String
  }

  /// Reads the manifest of a folder; `nil` for a path without one of `report`, such as a folder of downloads.
  package init?(_ path: String) throws(FileError) {
    let file = path + "/" + OutputListing.manifestName
    guard FileStatus(of: path)?.kind == .folder, let bytes = OutputFileSystem.contents(of: file),
      OutputListing.paths(inManifest: bytes) != nil
    else { return nil }
    do throws(ManifestError) {
      manifest = try Manifest(bytes)
    } catch {
      throw FileError(line: "\(file):\(error.line): error: \(error.message) [bad-manifest]")
    }
    self.path = path
  }

  /// Returns the names of the files, in the order of the manifest.
  package var names: [String] { manifest.outputs.map(\.path) }

  /// Returns the bytes of a file, which must be those that the manifest has the hash of.
  package func bytes(of name: String) throws(FileError) -> [UInt8] {
    let file = "\(path)/\(name)"
    guard let listed = manifest.outputs.first(where: { $0.path == name }) else {
      throw FileError(
        line: "\(file): error: the folder was written without it; run report again [no-file]")
    }
    guard let bytes = OutputFileSystem.contents(of: file) else {
      let why = OutputFileSystem.whyUnreadable(file)
      throw FileError(line: "\(file): error: cannot read it (\(why)) [cannot-open]")
    }
    guard sha256(of: bytes) == listed.sha256 else {
      throw FileError(
        line:
          "\(file): error: changed since report wrote it; run report again, or see subreport verify \(path) [changed]"
      )
    }
    return bytes
  }
}

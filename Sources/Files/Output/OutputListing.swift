import Scanning
import Storage

/// The list of output files in a folder's `manifest.json`.
///
/// A later run replaces the folder only if it holds nothing but these files.
///
/// The manifest is one JSON object. Only its member `outputs` is read here: an array with one object for each
/// file, whose `path` is relative to the folder and uses `/`:
///
///     {"outputs": [{"path": "churn.csv", "sha256": "…"}, {"path": "summary.md", "sha256": "…"}]}
///
/// `manifest.json` itself is not listed. Other members and their order do not matter.
package enum OutputListing {
  /// The name of the file that lists the others.
  package static let manifestName = "manifest.json"

  /// The keys that are read.
  private enum Key: String, CaseIterable {
    case outputs, path
    static let all = JSONKeys<Key>()
  }

  /// Reads the paths of `outputs` in a manifest.
  ///
  /// `nil` when this is no complete JSON object with an array `outputs`, so that all files of the folder count as
  /// foreign.
  package static func paths(inManifest manifest: [UInt8]) -> [String]? {
    var scanner = JSONScanner(ByteStream(manifest.span))
    var paths: [String]?
    do throws(JSONReadError) {
      guard try scanner.nextValue(), var object = try scanner.enterObject() else { return nil }
      while let member = try scanner.nextMember(of: &object, Key.all) {
        guard member == .known(.outputs), let files = try scanner.enterArray() else { continue }
        paths = []
        while try scanner.nextElement(of: files) {
          if let path = try path(&scanner, limit: manifest.count) { paths?.append(path) }
        }
      }
    } catch {
      return nil
    }
    return paths
  }

  /// Reads the path of one file; `nil` when there is none.
  private static func path(
    _ scanner: inout JSONScanner, limit: Int
  ) throws(JSONReadError) -> String? {
    guard var object = try scanner.enterObject() else { return nil }
    var path: String?
    while let member = try scanner.nextMember(of: &object, Key.all) {
      guard member == .known(.path) else { continue }
      var text = JSONText()
      let value = try scanner.readScalar(into: &text, limit: limit)
      if value.kind == .string { path = String(decoding: text.bytes[value.range], as: UTF8.self) }
    }
    return path
  }

  /// Returns the first file in a folder, by the bytes of its path, that its manifest does not list; `nil` without
  /// one.
  static func firstForeignFile(in folder: String) throws(OutputError) -> String? {
    let manifest = OutputFileSystem.contents(of: folder + "/" + manifestName)
    guard let paths = manifest.flatMap(paths(inManifest:)) else {
      return try OutputFileSystem.names(in: folder).first
    }
    return try files(in: folder, notListed: paths, limit: 1).first
  }

  /// Returns at most `limit` files in a folder that a manifest, itself listed, does not list, in the order of their
  /// paths.
  ///
  /// A folder in which no listed file can be is one of them.
  package static func files(
    in folder: String, notListed paths: [String], limit: Int = .max
  ) throws(OutputError) -> [String] {
    var found: [String] = []
    try find(in: folder, below: "", Set<ExactText>(of: paths + [manifestName]), limit, &found)
    return found
  }

  private static func find(
    in folder: String, below prefix: String, _ listed: Set<ExactText>, _ limit: Int,
    _ found: inout [String]
  ) throws(OutputError) {
    for name in try OutputFileSystem.names(in: folder + "/" + prefix) where found.count < limit {
      let path = prefix + name
      if listed.contains(path) { continue }
      let isFolder = FileStatus(of: folder + "/" + path, followsLinks: false)?.kind == .folder
      if isFolder, listed.contains(where: { $0.text.utf8.starts(with: (path + "/").utf8) }) {
        try find(in: folder, below: path + "/", listed, limit, &found)
      } else {
        found.append(path)
      }
    }
  }
}

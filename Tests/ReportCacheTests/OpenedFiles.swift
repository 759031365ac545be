import Glibc

/// Watches which files of a folder are opened, by anybody.
struct OpenedFiles: ~Copyable {
  private let descriptor: Int32

  init(in folder: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    precondition(
      unsafe inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0, "the folder is there")
  }

  deinit { close(descriptor) }

  /// The names of those that were opened since it was asked last; the folder itself has none.
  func names() -> Set<String> {
    // An event: watch, mask, cookie and the length of the name, four bytes each; then the name and zeros.
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    var names: Set<String> = []
    var offset = 0
    while offset < count {
      let length = (12..<16).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
      let name = bytes[(offset + 16)...].prefix(length).prefix { $0 != 0 }
      if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
      offset += 16 + length
    }
    return names
  }
}

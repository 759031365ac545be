import Glibc

/// The fault that is switched on: the number at the beginning of its patch's name, 0 for none.
///
/// Read once from `.build/planted-fault` below the folder of the package, wherever a program is started.
let plantedFault: Int = {
  // This file is Sources/TARGET/PlantedFault.swift when it is compiled.
  var path = #filePath
  for _ in 0..<3 { path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
  let file = unsafe open(path + "/.build/planted-fault", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 8)
  let length = unsafe read(file, &text, text.count)
  let digits = text.prefix(max(length, 0)).filter { (0x30...0x39).contains($0) }
  return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
}()

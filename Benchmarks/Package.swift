// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that measuring adds nothing to what users build.
let package = Package(
  name: "benchmarks",
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .executableTarget(name: "inflate-floor", dependencies: ["CZlib"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
  ]
}

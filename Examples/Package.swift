// swift-tools-version: 6.2
import PackageDescription

// A package of its own, like a program that uses the libraries.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "subreport", path: "..")],
  targets: [
    .executableTarget(
      name: "monthly-churn",
      dependencies: [.product(name: "SubscriptionMetrics", package: "subreport")]),
    .executableTarget(
      name: "list-renewals",
      dependencies: [.product(name: "AppStoreReceipts", package: "subreport")]),
  ],
  swiftLanguageModes: [.v6]
)

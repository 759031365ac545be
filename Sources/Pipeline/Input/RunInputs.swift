/// What there is to read: listed once, because standard input cannot be had twice.
struct RunInputs {
  let files: [InputFile]
  let errors: [InputError]
  /// The hashes and headers of unchanged files, from the last run.
  let known: KnownFiles

  init(_ plan: RunPlan) {
    known = plan.cache?.knownFiles(plan) ?? KnownFiles()
    (files, errors) = InputListing.list(
      plan.inputs, excluding: plan.excludedFolder, cache: plan.cache?.folder.path)
  }
}

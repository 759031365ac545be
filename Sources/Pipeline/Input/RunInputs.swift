import Files

/// The input files, listed once because standard input can be read only once.
struct RunInputs {
  let files: [InputFile]
  let errors: [InputError]

  init(_ plan: RunPlan) {
    (files, errors) = InputListing.list(
      plan.inputs, excluding: plan.excludedFolder, and: plan.earlierRuns?.folderPath)
  }
}

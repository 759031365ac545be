/// What there is to read: listed once, because standard input cannot be had twice.
struct RunInputs {
  let files: [InputFile]
  let errors: [InputError]

  init(_ plan: RunPlan) {
    (files, errors) = InputListing.list(
      plan.inputs, excluding: plan.excludedFolder, and: plan.earlierRuns?.folderPath)
  }
}

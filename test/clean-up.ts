// Fixtures are loaded once and serve many test files, so that a hook of theirs would belong to the first of them alone. What
// they have to do after each test or file they say here; setup-clean-up.ts, which is loaded for each file, sees to it.
type Work = () => void | Promise<void>

const afterTest: Work[] = []
const afterFile: Work[] = []

/** Has this done after each test of each file. */
export const cleanUpAfterEachTest = (work: Work): number => afterTest.unshift(work)

/** Has this done after each file. Newest first: what was loaded later may lean on what was loaded before. */
export const cleanUpAfterEachFile = (work: Work): number => afterFile.unshift(work)

export async function cleanUpAfterTest(): Promise<void> {
  for (const work of afterTest) await work()
}

export async function cleanUpAfterFile(): Promise<void> {
  for (const work of afterFile) await work()
}

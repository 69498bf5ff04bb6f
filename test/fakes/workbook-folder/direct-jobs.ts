import { doTargetJob } from '../../../src/server/connectors/files/target/do-target-job.ts'
import type { CreateJobs } from '../../../src/server/connectors/files/target/target-process.ts'
import { linesOf } from '../../../src/server/connectors/isolated/child.ts'

/** Does the jobs in this process: starting one for each would take most of the time of suites with hundreds of runs. */
export const directJobs: CreateJobs = () => ({
  async *lines(job, input) {
    const answer: Buffer[] = []
    const lines = (async function* () {
      for await (const line of input ?? []) yield line
    })()
    await doTargetJob(job, lines, (piece) => answer.push(Buffer.from(piece)))
    yield* linesOf(
      (async function* () {
        yield* answer
      })(),
    )
  },
})

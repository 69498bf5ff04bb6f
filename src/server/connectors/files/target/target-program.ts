// Parses and writes one target file in a separate process. Standard input has jobs as lines of JSON, each followed by its rows, if it writes;
// standard output has the answers.
import { OriginFailure } from '../../connector.ts'
import { linesOf } from '../../isolated/child.ts'
import { beginWork, send, watchLimits } from '../../isolated/inside.ts'
import { JobFailure } from '../file-jobs.ts'
import { doTargetJob } from './do-target-job.ts'
import { fileFailure } from './replace-file.ts'
import { TargetJob } from './target-jobs.ts'

const [folder] = watchLimits()
process.env.TMPDIR = folder

const input = oneByOne(linesOf(process.stdin))
for (let line = await input.next(); !line.done; line = await input.next()) {
  beginWork()
  await work(TargetJob.parse(JSON.parse(line.value)))
}
process.exit(0)

async function work(job: TargetJob): Promise<void> {
  try {
    await doTargetJob(job, input, send)
    send('{"ended":true}\n')
  } catch (cause) {
    const { name } = job.work === 'find' ? job.file : job.table.file
    const error = fileFailure(cause, name)
    if (!(error instanceof OriginFailure)) throw error
    send(`${JSON.stringify(JobFailure.parse({ kind: error.kind, message: error.message }))}\n`)
  }
}

async function* oneByOne(batches: AsyncIterable<Uint8Array[]>): AsyncGenerator<string, undefined> {
  for await (const lines of batches) for (const line of lines) yield Buffer.from(line).toString('utf8')
}

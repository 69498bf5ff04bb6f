// Reads one file in a separate process. Standard input has the job as a line of JSON; rows are written as lines, then the outcome.
import { createInterface } from 'node:readline'
import { OriginFailure } from '../connector.ts'
import { beginWork, send, watchLimits } from '../isolated/inside.ts'
import { listTables, readTable } from './do-file-job.ts'
import { FileJob, JobFailure, type ReadEnd } from './file-jobs.ts'

const LINE_END = Uint8Array.of(0x0a)

const [folder] = watchLimits()
process.env.TMPDIR = folder
for await (const line of createInterface({ input: process.stdin })) {
  beginWork()
  await work(FileJob.parse(JSON.parse(line)))
}
process.exit(0)

async function work(job: FileJob): Promise<void> {
  try {
    if (job.work === 'list') sendObject(await listTables(job))
    else await read(job)
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    sendObject(JobFailure.parse({ kind: error.kind, message: error.message }))
  }
}

async function read(job: FileJob): Promise<void> {
  let end: ReadEnd | null = null
  const onEnd = (found: ReadEnd) => {
    end = found
  }
  for await (const rows of readTable(job, { onFound: sendObject, onEnd }))
    send(Buffer.concat(rows.flatMap((row) => [row, LINE_END])))
  sendObject(end ?? {})
}

function sendObject(value: object): void {
  send(`${JSON.stringify(value)}\n`)
}

import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { type CsvJob, csvJobs } from '../../contract/csv-jobs/calls.ts'
import { type Command, type Context, EXIT, UsageError } from '../command.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { visible } from '../text.ts'
import { files, isKind, KINDS } from './files.ts'

const POLL_MS = 500

/** Adds and changes tasks or types from a CSV file. */
export const importFile: Command = {
  summary: 'Import tasks, types or compiler configurations from CSV',
  args: ['WHAT', 'FILE'],
  choices: KINDS,
  run: async (context) => {
    const { client, print, printJson, note } = context
    const [what, path = ''] = context.args
    if (!isKind(what)) throw new UsageError(messages.no_choice(what ?? '', KINDS))
    const content = await contentOf(path)
    const reply = await client.call(files[what].importCsv, { file: { name: basename(path), content } })
    const job = 'job_id' in reply ? await ended(context, reply.job_id) : null
    printJson(job ?? reply)
    print(job?.error ?? countsOf(job) ?? reply.message)
    const refused = job?.errors ?? []
    for (const { row, message } of refused) note(messages.row_error(row, visible(message)))
    return job?.status === 'failed' || refused.length > 0 || reply.status === 'failed' ? EXIT.failed : EXIT.ok
  },
}

async function contentOf(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type: 'text/csv' })
  } catch {
    throw new UsageError(messages.no_file(path))
  }
}

async function ended(context: Context, id: number): Promise<CsvJob> {
  for (;;) {
    const job = await retryWhileUnavailable(context, () =>
      context.client.call(csvJobs.get, { params: { id } }),
    )
    if (job.finished_at !== null) return job
    await pause(POLL_MS, undefined, { signal: context.signal })
  }
}

const countsOf = (job: CsvJob | null) =>
  job &&
  Object.entries(job.summary)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')

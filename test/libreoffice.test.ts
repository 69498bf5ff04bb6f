import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { csvJobs } from '../src/contract/csv-jobs/calls.ts'
import { testApp } from './fixtures/app.ts'
import { aSyncTaskBody } from './fixtures/factories.ts'
import { form, formType } from './fixtures/form.ts'
import { aSourceTaskBody } from './fixtures/source-tasks.ts'
import { type Edit, hasLibreOffice, savedByLibreOffice } from './processes/libreoffice.ts'
import { until } from './processes/processes.ts'

/** Kinds of CSV files, each with a cell to edit. */
const kinds = [
  {
    what: 'source types',
    out: '/api/source_task_types/export_csv',
    in: '/api/source_task_types/import_csv',
    from: '987',
    to: '1234',
  },
  {
    what: 'sync types',
    out: '/api/sync_task_types/export_csv',
    in: '/api/sync_task_types/import_csv',
    from: 'Of the shop',
    to: 'Of the “other” shop; 1/2',
  },
  {
    what: 'source tasks',
    out: '/api/source_tasks/export_csv',
    in: '/api/source_tasks/import_csv',
    from: '77',
    to: '3',
  },
  {
    what: 'sync tasks',
    out: '/api/sync_tasks/export',
    in: '/api/sync_tasks/import',
    from: '4321',
    to: '4322',
  },
]

const RECORD = join(import.meta.dirname, 'fixtures/libreoffice-saved.json')

/** Recorded output of LibreOffice 7.4 for these exports. RECORD_LIBREOFFICE=1 records the output of the installed version. */
async function recorded(edits: readonly Edit[]): Promise<string[]> {
  const saved = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(RECORD, 'utf8')))
  return edits.map(({ content }) => {
    const one = saved[content]
    if (one === undefined) throw new Error(`This export was not recorded:\n${content}`)
    return one
  })
}

async function savedHere(edits: readonly Edit[]): Promise<string[]> {
  const saved = await savedByLibreOffice(edits)
  if (process.env.RECORD_LIBREOFFICE) {
    const all = edits.map(({ content }, place) => [content, saved[place]])
    await writeFile(RECORD, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
  }
  return saved
}

describe.each([
  { which: 'recorded', saveAll: recorded, is_there: true },
  { which: 'installed', saveAll: savedHere, is_there: hasLibreOffice },
])('LibreOffice, $which', ({ saveAll, is_there }) => {
  test.runIf(is_there)(
    'an export that is edited in it and saved as CSV changes only what was edited',
    async () => {
      const app = await testApp()
      const ada = await app.signIn()

      const exported = async (path: string) => (await ada.request('GET', path)).body

      const add = async (path: string, body: object): Promise<{ id: number }> => {
        const reply = await ada.request('POST', path, body)
        expect(reply.statusCode, reply.body).toBe(201)
        return reply.json()
      }

      /** Imports a file and waits until the job has ended. */
      async function imported(path: string, content: string) {
        const reply = await app.app.inject({
          method: 'POST',
          url: path,
          headers: { ...ada.headers, 'content-type': formType },
          payload: form({ content }),
        })
        const { job_id } = reply.json()
        let job = csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json())
        await until('the import has ended', async () => {
          job = csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json())
          return job.finished_at !== null
        })
        return job
      }

      const prices = await add('/api/sync_task_types', { name: 'Prices | sync', description: 'Of the shop' })
      const root = await add('/api/source_task_types', {
        name: '=Root, "quoted"',
        description: 'Two\nlines; 50 %, 1.50 €',
        group_name: '@home',
        priority: 2,
      })
      await add('/api/source_task_types', {
        name: 'Leaf | success',
        group_name: '-G',
        cron_schedule: '*/5 * * * *',
        is_active: false,
        timeout_minutes: 987,
        dependencies: [
          { dependency_task_type_id: prices.id, condition_type: 'completion' },
          { dependency_task_type_id: root.id, condition_type: 'success' },
        ],
      })
      await add(
        '/api/source_tasks',
        aSourceTaskBody({
          name: 'Prices',
          spreadsheet_id: 'spreadsheet-of-prices',
          chunk_size: 77,
          source_task_type_id: root.id,
        }),
      )
      await add(
        '/api/source_tasks',
        aSourceTaskBody({
          name: '+Zürich 2026',
          spreadsheet_id: 'spreadsheet-of-zuerich',
          description: 'A, "b"\n\n=c',
        }),
      )
      const body = (name: string, id: string, fields: object) =>
        aSyncTaskBody(prices.id, {
          name,
          source_ss_id: `source-of-the-${id}`,
          target_ss_id: `target-of-the-${id}`,
          ...fields,
        })
      await add(
        '/api/sync_tasks',
        body('Shop', 'first-task', { scheduled_times: ['00:30'], relevant_user_accounts: [ada.email] }),
      )
      await add(
        '/api/sync_tasks',
        body("'@x", 'second-task', { scheduled_times: ['23:59'], chunk_size: 4321 }),
      )

      const before = []
      for (const kind of kinds) before.push({ ...kind, content: await exported(kind.out) })
      const saved = await saveAll(before)
      for (const [place, { what, content, from, to, ...kind }] of before.entries()) {
        const { errors, summary } = await imported(kind.in, saved[place] ?? '')
        expect([what, errors, summary]).toMatchObject([what, [], { created: 0, updated: 1, failed: 0 }])
        expect([what, await exported(kind.out)]).toEqual([what, content.replace(from, to)])
      }
    },
  )
})

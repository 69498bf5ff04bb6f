import { beforeAll, describe, expect, test } from 'vitest'
import { csvJobs } from '../src/contract/csv-jobs.ts'
import { type SignedIn, testApp } from './app.ts'
import { aSyncTaskBody } from './factories.ts'
import { form, formType } from './form.ts'
import { hasLibreOffice, savedByLibreOffice } from './libreoffice.ts'
import { until } from './processes.ts'
import { aSourceTaskBody } from './source-tasks.ts'

/** What comes and goes as files, and a cell of each that is edited. */
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

describe.runIf(hasLibreOffice)('LibreOffice', () => {
  let app: Awaited<ReturnType<typeof testApp>>
  let ada: SignedIn

  beforeAll(async () => {
    app = await testApp()
    ada = await app.signIn()
  })

  const exported = async (path: string) => (await ada.request('GET', path)).body

  const add = async (path: string, body: object): Promise<{ id: number }> => {
    const reply = await ada.request('POST', path, body)
    expect(reply.statusCode, reply.body).toBe(201)
    return reply.json()
  }

  /** The job of an import, once it has ended. */
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

  test('an export that is edited in LibreOffice and saved as CSV changes only what was edited', async () => {
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
    await add('/api/source_tasks', aSourceTaskBody({ chunk_size: 77, source_task_type_id: root.id }))
    await add('/api/source_tasks', aSourceTaskBody({ name: '+Zürich 2026', description: 'A, "b"\n\n=c' }))
    const body = (fields: object) => aSyncTaskBody(prices.id, fields)
    await add('/api/sync_tasks', body({ scheduled_times: ['00:30'], relevant_user_accounts: [ada.email] }))
    await add('/api/sync_tasks', body({ name: "'@x", scheduled_times: ['23:59'], chunk_size: 4321 }))

    const before = []
    for (const kind of kinds) before.push({ ...kind, content: await exported(kind.out) })
    const saved = await savedByLibreOffice(before)
    for (const [place, { what, content, from, to, ...kind }] of before.entries()) {
      const { errors, summary } = await imported(kind.in, saved[place] ?? '')
      expect([what, errors, summary]).toMatchObject([what, [], { created: 0, updated: 1, failed: 0 }])
      expect([what, await exported(kind.out)]).toEqual([what, content.replace(from, to)])
    }
  })
})

describe.runIf(!hasLibreOffice)('LibreOffice', () => {
  test.skip('needs Debian’s package libreoffice-calc-nogui, which is not installed', () => {})
})

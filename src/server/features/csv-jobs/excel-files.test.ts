import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTaskBody } from '../../../../test/fixtures/factories.ts'
import { aSourceTaskBody } from '../../../../test/fixtures/source-tasks.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { until } from '../../../../test/processes/processes.ts'
import { csvJobs } from '../../../contract/csv-jobs/calls.ts'

const KINDS = [
  ['sync_task_types/export_csv', 'sync_task_types/import_csv'],
  ['source_task_types/export_csv', 'source_task_types/import_csv'],
  ['source_tasks/export_csv', 'source_tasks/import_csv'],
  ['sync_tasks/export', 'sync_tasks/import'],
]

/** What Excel saves in a country whose lists are divided by semicolons: numbers and flags as they are written there. */
function savedByExcel(content: string, [yes, no]: [string, string]): string {
  const rows = z.array(z.array(z.string())).parse(parse(content, { bom: true }))
  const cells = rows.map((row) => row.map((cell) => (cell === 'true' ? yes : cell === 'false' ? no : cell)))
  return `\ufeff${stringify(cells, { delimiter: ';', record_delimiter: '\r\n' })}`
}

test.each<[string, [string, string]]>([
  ['German', ['WAHR', 'FALSCH']],
  ['French', ['VRAI', 'FAUX']],
  ['Dutch', ['WAAR', 'ONWAAR']],
])('a file saved by %s Excel changes nothing', async (_language, flags) => {
  const app = await testApp()
  const ada = await app.signIn()
  const add = async (path: string, body: object) => {
    const reply = await ada.request('POST', path, body)
    expect(reply.statusCode, reply.body).toBe(201)
    return z.object({ id: z.int() }).parse(reply.json())
  }
  const { id } = await add('/api/sync_task_types', { name: 'Preise, neu', description: 'a; b, c "d"' })
  await add('/api/source_task_types', { name: 'Katalog', cron_schedule: '0 2 * * *', is_active: false })
  await add('/api/source_tasks', aSourceTaskBody({ description: 'Zwei\nZeilen; 1,50 €', is_active: false }))
  await add('/api/sync_tasks', aSyncTaskBody(id, { relevant_user_accounts: [ada.email] }))
  for (const [out, into] of KINDS) {
    const content = (await ada.request('GET', `/api/${out}`)).body
    expect(content.startsWith('\ufeff'), out).toBe(true)
    const reply = await uploadsTo(`/api/${into}`, app, ada).upload(savedByExcel(content, flags))
    const { job_id } = z.object({ job_id: z.int() }, reply.body).parse(reply.json())
    const job = async () =>
      csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json())
    await until('the import has ended', async () => (await job()).finished_at !== null)
    const { errors, summary } = await job()
    expect([out, errors, summary]).toMatchObject([out, [], { created: 0, updated: 0, failed: 0 }])
    expect((await ada.request('GET', `/api/${out}`)).body).toBe(content)
  }
})

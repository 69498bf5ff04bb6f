import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { form, formType } from '../../../../test/fixtures/form.ts'
import { until } from '../../../../test/processes/processes.ts'
import { type CsvJob, csvJobs, type ImportReply } from '../../../contract/csv-jobs/calls.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'

import { openJob } from '../../csv-jobs/jobs.ts'

let site: TestApp
let ada: SignedIn
let actor: { id: number; email: string }

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  actor = await site.db.selectFrom('users').select(['id', 'email']).executeTakeFirstOrThrow()
  await aType(site.db, { name: 'Jobs' })
})

const HEADER = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name\n'
const row = (name: string) => `Jobs,${name},${aSpreadsheetId()},${aSpreadsheetId()},Target\n`

async function upload(app: TestApp, person: SignedIn, content: string) {
  return app.app.inject({
    method: 'POST',
    url: '/api/sync_tasks/import',
    headers: { ...person.headers, 'content-type': formType },
    payload: form({ content, filename: 'some tasks.csv' }),
  })
}

const importOf = async (content: string): Promise<Pick<ImportReply, 'job_id'>> =>
  (await upload(site, ada, content)).json()

const job = async (id: number): Promise<CsvJob> =>
  csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${id}`)).json())

test('an import leaves a job with its counts and errors, under both paths', async () => {
  const { job_id } = await importOf(HEADER + row('A') + row(' ') + row('B'))
  expect(await job(job_id)).toMatchObject({
    id: job_id,
    job_id,
    type: 'sync_task',
    kind: 'import',
    status: 'completed',
    filename: 'some tasks.csv',
    processed_count: 3,
    progress: 100,
    summary: { created: 2, updated: 0, unchanged: 0, failed: 1 },
    errors: [{ row: 3, field: 'name', message: fieldMessages.name_required }],
    error: null,
    has_file: true,
    created_by: 'ada@example.com',
  })
  expect((await ada.request('GET', `/csv_jobs/${job_id}`)).json()).toEqual(await job(job_id))
})

test('the refused rows can be downloaded as CSV', async () => {
  const { job_id } = await importOf(HEADER + row(' '))
  const reply = await ada.request('GET', `/api/csv_jobs/${job_id}/download`)
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(reply.body).toBe(`\ufeffrow,field,message\r\n2,name,${fieldMessages.name_required}\r\n`)
})

test('an import with only refused rows fails and reports them', async () => {
  const { job_id } = await importOf(HEADER + row(' '))
  expect(await job(job_id)).toMatchObject({
    status: 'failed',
    error: csvJobServerMessages.all_rows_refused(1),
    has_file: true,
    summary: { created: 0, failed: 1 },
  })
})

test('without refused rows there is nothing to download', async () => {
  const { job_id } = await importOf(HEADER + row('C'))
  expect(await job(job_id)).toMatchObject({ has_file: false })
  const reply = await ada.request('GET', `/api/csv_jobs/${job_id}/download`)
  expect([reply.statusCode, reply.json().message]).toEqual([404, 'This job has no file to download.'])
})

test('a refused file leaves a failed job with the reason', async () => {
  await importOf('task_type,name\n')
  const [newest] = csvJobs.list.reply.parse(
    (await ada.request('GET', '/csv_jobs/api/csv_import_export_jobs?type=sync_task&limit=1')).json(),
  )
  expect(newest).toMatchObject({
    status: 'failed',
    error: csvJobServerMessages.csv_columns_missing(['target_ss_id', 'target_sheet_name']),
    summary: {},
  })
})

test('the newest five jobs of a type are listed, newest first', async () => {
  for (let n = 0; n < 6; n++)
    await openJob(site.db, { type: 'source_task', kind: 'import', filename: `${n}.csv`, actor })
  const listed = async (query: string) =>
    csvJobs.list.reply
      .parse((await ada.request('GET', `/csv_jobs/api/csv_import_export_jobs${query}`)).json())
      .map(({ filename }) => filename)
  expect(await listed('?type=source_task')).toEqual(['5.csv', '4.csv', '3.csv', '2.csv', '1.csv'])
  expect(await listed('?type=source_task&limit=2')).toEqual(['5.csv', '4.csv'])
  expect((await listed('?limit=100')).length).toBeGreaterThan(6)
})

test.each(['type=users', 'limit=0', 'limit=101', 'limit=x'])('the query %s is 400', async (query) => {
  expect((await ada.request('GET', `/csv_jobs/api/csv_import_export_jobs?${query}`)).statusCode).toBe(400)
})

test('a job that does not exist is 404, under all paths', async () => {
  for (const url of ['/api/csv_jobs/999999', '/csv_jobs/999999', '/api/csv_jobs/999999/download']) {
    const reply = await ada.request('GET', url)
    expect([reply.statusCode, reply.json().message]).toEqual([404, 'CSV job not found.'])
  }
})

test('HEAD on a file download is refused and creates no job', async () => {
  const newest = async () =>
    (await ada.request('GET', '/csv_jobs/api/csv_import_export_jobs?limit=1')).json()[0]?.id
  const before = await newest()
  for (const path of [
    '/api/sync_tasks/export',
    '/api/sync_task_types/export_csv',
    '/api/source_task_types/export_csv',
  ]) {
    const reply = await ada.request('HEAD', path)
    // 404: what is left of the path is no id
    expect([404, 405]).toContain(reply.statusCode)
  }
  expect(await newest()).toBe(before)
})

test('an export is a job, whose id comes with the file; the file can be downloaded again', async () => {
  await importOf(HEADER + row('Exported'))
  const reply = await ada.request('GET', '/api/sync_tasks/export')
  expect(reply.body).toContain('Jobs,Exported,')
  const id = Number(reply.headers['x-csv-job-id'])
  expect(await job(id)).toMatchObject({
    type: 'sync_task',
    kind: 'export',
    status: 'completed',
    filename: 'sync_tasks_export.csv',
    has_file: true,
    processed_count: reply.body.trim().split('\r\n').length - 1,
    created_by: 'ada@example.com',
  })
  const again = await ada.request('GET', `/api/csv_jobs/${id}/download`)
  expect(again.body).toBe(reply.body)
  expect(again.headers['content-disposition']).toBe('attachment; filename="sync_tasks_export.csv"')
})

test('a call that times out reports that its job continues, and another process finishes it', async () => {
  const idle = await testApp({ csvWaitMs: 0, csvDefinitions: { imports: [], exports: [] } })
  const bea = await idle.signIn()
  await aType(idle.db, { name: 'Jobs' })
  const reply = await upload(idle, bea, HEADER + row('Later'))
  const job_id = Number(reply.json().job_id)
  expect(reply.json()).toEqual({
    status: 'running',
    message: csvJobServerMessages.import_goes_on(job_id),
    job_id,
  })
  const exported = await bea.request('GET', '/api/sync_tasks/export')
  expect([exported.statusCode, exported.json().message]).toEqual([
    503,
    csvJobServerMessages.export_goes_on(job_id + 1),
  ])

  const next = await testApp({ database: idle.database })
  for (const id of [job_id, job_id + 1])
    await until('the job has ended', async () => {
      const answer = await bea.request('GET', `/csv_jobs/${id}`)
      return csvJobs.get.reply.parse(answer.json()).status === 'completed'
    })
  const download = await next.app.inject({
    url: `/api/csv_jobs/${job_id + 1}/download`,
    headers: bea.headers,
  })
  expect(download.body).toContain('task_type,name')
})

import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { form, formType } from '../../../../test/fixtures/form.ts'
import { until } from '../../../../test/processes/processes.ts'
import { type CsvJob, csvJobs } from '../../../contract/csv-jobs/calls.ts'
import { readyBy } from '../../../contract/forecast/calls.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  await aType(site.db, { name: 'Shops' })
  await aType(site.db, { name: 'Suppliers', category: 'source' })
})

async function imported(path: string, ...lines: string[]): Promise<CsvJob> {
  const reply = await site.app.inject({
    method: 'POST',
    url: path,
    headers: { ...ada.headers, 'content-type': formType },
    payload: form({ content: [...lines, ''].join('\n') }),
  })
  const { job_id } = reply.json<{ job_id: number }>()
  let job: CsvJob | undefined
  await until('the job has ended', async () => {
    job = csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json())
    return job.status === 'completed' || job.status === 'failed'
  })
  if (!job) throw new Error('There is no job')
  return job
}

/** Time by name of the task or type. */
async function times(): Promise<Record<string, string>> {
  const entries = readyBy.list.reply.parse((await ada.request('GET', '/api/ready_by')).json())
  return Object.fromEntries(entries.map(({ name, ready_by }) => [name, ready_by]))
}

const [source, target] = [aSpreadsheetId(), aSpreadsheetId()]
const files = [
  {
    what: 'sync tasks',
    paths: ['/api/sync_tasks/import', '/api/sync_tasks/export'],
    header: 'task_type,name,source_type,source_ss_id,target_ss_id,target_sheet_name',
    row: (name: string) => `Shops,${name},sheet,${source},${target},${name}`,
    names: ['Sync A', 'Sync B'],
  },
  {
    what: 'source tasks',
    paths: ['/api/source_tasks/import_csv', '/api/source_tasks/export_csv'],
    header: 'source_task_type_name,name,source_type,spreadsheet_id,sheet_name',
    row: (name: string) => `Suppliers,${name},sheet,${source},${name}`,
    names: ['Source A', 'Source B'],
  },
  {
    what: 'source task types',
    paths: ['/api/source_task_types/import_csv', '/api/source_task_types/export_csv'],
    header: 'name,group_name,description',
    row: (name: string) => `${name},,`,
    names: ['Type A', 'Type B'],
  },
] as const

test.each(files)(
  'files of $what set, keep, change and remove the time by which each has to be ready',
  async ({ paths: [importPath, exportPath], header, row, names: [a, b] }) => {
    const added = await imported(importPath, `${header},ready_by`, `${row(a)},7:00`, `${row(b)},`)
    expect(added).toMatchObject({ status: 'completed', errors: [] })
    expect(await times()).toMatchObject({ [a]: '07:00' })
    expect(await times()).not.toHaveProperty(b)

    const file = (await ada.request('GET', exportPath)).body
    expect(file.split('\r\n')[0]).toMatch(/,ready_by(?:,|$)/)
    expect(file).toMatch(/,07:00(?:,.*)?\r\n/)
    await imported(importPath, ...file.split('\r\n'))
    await imported(importPath, header, row(a))
    expect(await times()).toMatchObject({ [a]: '07:00' })

    const refused = await imported(importPath, `${header},ready_by`, `${row(a)},25:00`, `${row(b)},06:30`)
    expect(refused.errors).toMatchObject([
      { row: 2, field: 'ready_by', message: expect.stringContaining('HH:MM') },
    ])
    expect(await times()).toMatchObject({ [a]: '07:00', [b]: '06:30' })

    await imported(importPath, `${header},ready_by`, `${row(a)},`)
    expect(await times()).not.toHaveProperty(a)
  },
)

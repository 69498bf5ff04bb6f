import { expect, test } from 'vitest'
import { typeFiles } from '../../../../test/fixtures/type-files.ts'
import { csvJobs } from '../../../contract/csv-jobs/calls.ts'

const { added, exported, get, imported, site, typesOf } = typeFiles()

test('an export has the file names of the specification and is a job that keeps the file', async () => {
  await added('source', { name: 'A' })
  const source = await get('/api/source_task_types/export_csv')
  expect(source.headers['content-disposition']).toBe(
    'attachment; filename="source_task_types_2026-11-21.csv"',
  )
  const sync = await get('/api/sync_task_types/export_csv')
  expect(sync.headers['content-disposition']).toBe(
    'attachment; filename="sync_task_types_export_2026-11-21_22-04-05.csv"',
  )
  const listed = await get('/csv_jobs/api/csv_import_export_jobs?type=sync_task_type&limit=5')
  expect(csvJobs.list.reply.parse(listed.json())[0]).toMatchObject({
    job_id: Number(sync.headers['x-csv-job-id']),
    kind: 'export',
    status: 'completed',
  })
})

const rich = async () => {
  const prices = await added('sync', { name: 'Prices | sync', chunk_size: 77 })
  const root = await added('source', { name: '=Root, "quoted"', description: 'Two\nlines', priority: 2 })
  await added('source', {
    name: 'Leaf | success',
    group_name: '-G',
    cron_schedule: '*/5 * * * *',
    is_active: false,
    timeout_minutes: 9,
    dependencies: [
      { dependency_task_type_id: prices.id, condition_type: 'completion' },
      { dependency_task_type_id: root.id, condition_type: 'success' },
    ],
  })
}

test('an export and its import again change nothing', async () => {
  await rich()
  const [before, content] = [await typesOf('source'), await exported('source')]
  const job = await imported('source', content)
  expect(job.summary).toEqual({ created: 0, updated: 0, unchanged: 2, failed: 0 })
  expect(await typesOf('source')).toEqual(before)
  expect(await exported('source')).toBe(content)
})

test('importing an export restores deleted types', async () => {
  await rich()
  const content = await exported('source')
  await site().db.deleteFrom('task_type_dependencies').execute()
  await site().db.deleteFrom('task_types').where('category', '=', 'source').execute()
  expect((await imported('source', content)).summary).toMatchObject({ created: 2, failed: 0 })
  expect(await exported('source')).toBe(content)
})

test('a file rewritten by a spreadsheet program has the same meaning', async () => {
  await rich()
  const content = await exported('source')
  // capitals, LF, decimals where a column was formatted, quotes only where needed, empty columns behind
  const saved = `${content
    .replaceAll('\r\n', '\n')
    .replaceAll(',true,', ',TRUE,')
    .replaceAll(',false,', ',FALSE,')
    .replaceAll(',1000,', ',1000.00,')
    .replace('dependencies\n', 'dependencies,,\n')
    .replaceAll(/(\| (?:success|completion)"?)\n(?=['L]|$)/g, '$1,,\n')
    .replace(/,\n(?='?[=L])/g, ',,,\n')
    .replace('Two\nlines', 'Two\r\nlines')
    .replace(',9,', ',90,')}`
  const job = await imported('source', saved)
  expect([job.errors, job.summary]).toEqual([[], { created: 0, updated: 1, unchanged: 1, failed: 0 }])
  expect(await exported('source')).toBe(content.replace(',9,', ',90,'))
})

test('export and import need a session', async () => {
  expect((await site().app.inject('/api/source_task_types/export_csv')).statusCode).toBe(401)
  const reply = await site().app.inject({ method: 'POST', url: '/api/sync_task_types/import_csv' })
  expect(reply.statusCode).toBe(401)
})

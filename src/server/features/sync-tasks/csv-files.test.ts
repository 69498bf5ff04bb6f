import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { form } from '../../../../test/fixtures/form.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { ImportReply } from '../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { shape } from './csv.ts'

let site: TestApp
let ada: SignedIn
let uploads: ReturnType<typeof uploadsTo>

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  await aType(site.db, { name: 'Imports' })
})

const HEADER = 'task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name'
const file = (...names: string[]) =>
  [
    HEADER,
    ...names.map((name) => `Imports,${name},${aSpreadsheetId()},Source,${aSpreadsheetId()},Target`),
    '',
  ].join('\r\n')

describe('export', () => {
  test('all sync tasks are exported as sync_tasks_export.csv, with every editable field and the name of the type', async () => {
    const { id } = await aType(site.db, { name: 'Export, "quoted"' })
    await aSyncTask(site.db, {
      task_type_id: id,
      name: '=SUM(A1)',
      sort_order: 7,
      scheduled_times: ['04:00', '23:00'],
      relevant_user_accounts: ['ada@example.com'],
      chunk_size: 1000,
      definition: {
        source_ss_id: 'source-spreadsheet',
        source_sheet_name: ' Preise 2026 ',
        target_ss_id: 'target-spreadsheet',
        target_sheet_name: "'@x",
        start_row: 3,
        limits: JSON.stringify({
          removed_percent: 10,
          required_columns: ['SKU', 'Price, EUR'],
          unique_column: '=SKU',
        }),
      },
    })
    const reply = await ada.request('GET', '/api/sync_tasks/export')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="sync_tasks_export.csv"')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, ...lines] = reply.body.split('\r\n')
    expect(header).toBe(`\ufeff${shape.columns.join(',')}`)
    expect(lines).toContain(
      `"Export, ""quoted""",'=SUM(A1),sheet,source-spreadsheet, Preise 2026 ,target-spreadsheet,''@x,,,1000,3,"04:00, 23:00",ada@example.com,7,true,,,10,,,,"SKU\nPrice, EUR",,'=SKU,,,,false,,,,,replace,,keep,,Missing since {date},fail,false,fail,,,{value},,,,,,`,
    )
  })

  test('more tasks than one batch are all exported once', async () => {
    const { id } = await aType(site.db, { name: 'Many' })
    const { name: _ } = await aSyncTask(site.db, { task_type_id: id })
    await sql`
      with t as (
        insert into tasks (category, task_type_id, name, sort_order)
        select 'sync', ${id}, 'Many ' || n, n from generate_series(1, 1200) n returning id
      )
      insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name)
      select id, 'sheet', 'a-source-of-many', 'a-target-of-many', 'Tab ' || id from t`.execute(site.db)
    const names = (await ada.request('GET', '/api/sync_tasks/export')).body
      .split('\r\n')
      .filter((line) => line.startsWith('Many,Many '))
    expect(new Set(names).size).toBe(1200)
    expect(names).toHaveLength(1200)
    await sql`delete from tasks where task_type_id = ${id}`.execute(site.db)
  })

  test('without a session both calls are 401', async () => {
    expect((await site.app.inject('/api/sync_tasks/export')).statusCode).toBe(401)
    const reply = await site.app.inject({ method: 'POST', url: '/api/sync_tasks/import' })
    expect(reply.statusCode).toBe(401)
  })
})

describe('an upload is refused as a whole', () => {
  const good = () => file('Never')
  const cases: [
    what: string,
    reply: () => ReturnType<typeof uploads.send>,
    status: number,
    message: string,
  ][] = [
    ['an empty file', () => uploads.upload(''), 400, csvJobServerMessages.csv_empty],
    ['a header only', () => uploads.upload(file()), 400, csvJobServerMessages.import_empty],
    [
      'a file of another kind',
      () => uploads.upload(good(), { filename: 'a.txt', mime: 'text/plain' }),
      400,
      csvJobMessages.select_csv,
    ],
    ['a workbook called .csv', () => uploads.upload('PK\x03\x04'), 400, csvJobServerMessages.csv_workbook],
    [
      'a quote that stays open',
      () => uploads.upload(`${good()}"`),
      400,
      csvJobServerMessages.csv_quote_open(3),
    ],
    [
      'a required column missing',
      () => uploads.upload('task_type,name\n'),
      400,
      csvJobServerMessages.csv_columns_missing(['target_ss_id', 'target_sheet_name']),
    ],
    ['no file', () => uploads.send(form()), 400, 'Choose a file to upload.'],
    [
      'two files',
      () => uploads.send(form({ content: good() }, { content: good() })),
      400,
      'Upload one file at a time.',
    ],
    ['a file under another name', () => uploads.upload(good(), { name: 'csv' }), 400, 'Unknown field: csv'],
    [
      'more than 10 MB',
      () => uploads.upload(Buffer.alloc(limits.csv_bytes + 1, 'a')),
      413,
      'The file is too large.',
    ],
    [
      'an upload that is cut off',
      () => uploads.send(form({ content: good() }).subarray(0, -20)),
      400,
      'The upload ended early or is not valid. Please try again.',
    ],
    [
      'no boundary',
      () => uploads.send(form(), { 'content-type': 'multipart/form-data' }),
      400,
      'The upload ended early or is not valid. Please try again.',
    ],
    [
      'JSON',
      () => uploads.send(Buffer.from('{}'), { 'content-type': 'application/json' }),
      415,
      'The request must be a form with a file.',
    ],
  ]
  test.each(cases)('%s', async (_what, reply, status, message) => {
    const { count } = site.db.fn
    const total = () => site.db.selectFrom('tasks').select(count('id').as('n')).executeTakeFirstOrThrow()
    const before = await total()
    const answer = await reply()
    expect([answer.statusCode, answer.json().message]).toEqual([status, message])
    expect(await total()).toEqual(before)
  })

  test('folders in the name of an upload are removed', async () => {
    const reply = await uploads.upload(file('Folders'), {
      filename: '../../x.csv',
      mime: 'application/octet-stream',
    })
    const { job_id } = ImportReply.parse(reply.json())
    expect((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json()).toMatchObject({ filename: 'x.csv' })
  })
})

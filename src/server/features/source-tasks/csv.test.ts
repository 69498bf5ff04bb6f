import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { aConnection, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { sourceServerMessages } from '../../../contract/source-tasks/server-messages.ts'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'

import { shape } from './csv.ts'

let app: TestApp
let ada: SignedIn
let uploads: ReturnType<typeof uploadsTo>
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
  uploads = uploadsTo('/api/source_tasks/import_csv', app, ada)
  tasks = sourceTasksOf(ada)
  await aType(app.db, { name: 'Nightly', category: 'source', chunk_size: 1500 })
  await aConnection(app, { name: 'Shop' })
})

beforeEach(async () => {
  await app.db.deleteFrom('compiler_configs').execute()
  await app.db.deleteFrom('source_tasks').execute()
  await app.db.deleteFrom('tasks').execute()
})

const imported = (content: string) => uploads.imported(content)
const exported = async (path = 'export_csv') => (await ada.request('GET', `/api/source_tasks/${path}`)).body

const HEADER = 'source_task_type_name,name,source_type,source_identifier,spreadsheet_id,sheet_name'
const file = (...rows: string[]) => [HEADER, ...rows, ''].join('\r\n')
const sheet = (name: string, type = 'Nightly') => `${type},${name},sheet,,${aSpreadsheetId()},Tab`

describe('export', () => {
  test('all source tasks are exported as source_tasks_export.csv, and under the older name, in the order of the list', async () => {
    await aSourceTask(app.db, {
      name: '=SUM(A1)',
      sort_order: 2,
      relevant_user_accounts: ['ada@example.com'],
    })
    const first = await tasks.add({
      name: 'First, "quoted"',
      source_type: 'api',
      source_identifier: 'Shop',
      description: 'Two\nlines',
      is_master_catalog: true,
    })
    await tasks.reply('POST', `/api/source_tasks/${first.id}/reposition`, { action: 'front' })
    for (const [path, filename] of [
      ['export_csv', 'source_tasks_export.csv'],
      ['export', 'source_tasks_legacy_export.csv'],
    ]) {
      const reply = await ada.request('GET', `/api/source_tasks/${path}`)
      expect(reply.headers['content-disposition']).toBe(`attachment; filename="${filename}"`)
      expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(reply.headers['x-csv-job-id']).toMatch(/^\d+$/)
      const [header, one, other] = reply.body.split('\r\n')
      expect(header).toBe(`\ufeff${shape.columns.join(',')}`)
      expect(one).toBe(
        ',"First, ""quoted""",api,Shop,,,1,1,true,true,"Two\nlines",50,5000000,auto,auto,auto,,,,,,',
      )
      expect(other).toMatch(
        /^,'=SUM\(A1\),sheet,,spreadsheet-\d+,Source,1,1,true,false,,50,5000000,auto,auto,auto,,ada@example\.com,,,,$/,
      )
    }
  })

  test('without a session both calls and the import are 401', async () => {
    for (const path of ['export_csv', 'export'])
      expect((await app.app.inject(`/api/source_tasks/${path}`)).statusCode).toBe(401)
    const reply = await app.app.inject({ method: 'POST', url: '/api/source_tasks/import_csv' })
    expect(reply.statusCode).toBe(401)
  })
})

describe('import', () => {
  test('new tasks are added in the order of the file, with defaults for omitted columns', async () => {
    const reply = await imported(file(sheet('B'), sheet('A'), sheet('C', '')))
    expect(reply).toMatchObject({ status: 'success', job_id: expect.any(Number), created: 3, failed: 0 })
    expect(await tasks.list()).toMatchObject([
      {
        name: 'B',
        chunk_size: 1500,
        is_active: true,
        source_task_type_name: 'Nightly',
        running_status: 'new',
      },
      { name: 'A', account: { email: ada.email } },
      { name: 'C', chunk_size: 1, source_task_type_id: null },
    ])
  })

  test('tasks are identified by type and name: unknown ones are added and known ones changed', async () => {
    await imported(file(sheet('Same'), sheet('Same', '')))
    const [typed, untyped] = await tasks.list()
    const reply = await imported(
      `name,source_task_type_name,source_type,chunk_size\nSame,,sheet,7\nSame,Nightly,sheet,1500\n`,
    )
    expect(reply).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect(await tasks.list()).toMatchObject([
      { id: typed?.id, chunk_size: 1500, spreadsheet_id: typed?.spreadsheet_id },
      { id: untyped?.id, chunk_size: 7, spreadsheet_id: untyped?.spreadsheet_id },
    ])
  })

  test('origins are connections, tasks and configurations; older column names are accepted', async () => {
    const [origin, config] = [await aSourceTask(app.db, { name: 'Origin' }), await aConfig(app.db)]
    const reply = await imported(
      [
        'task_type,name,source_type,source_identifier,source_ss_id,source_sheet_name',
        ',From API,api,Shop,,',
        `,From task,internal,task-${origin.id},,`,
        `,From config,internal,config-${config.id},,`,
        `,From sheet,sheet,,${aSpreadsheetId()},Tab`,
      ].join('\n'),
    )
    expect(reply).toMatchObject({ created: 4, failed: 0 })
    const identifiers = (await tasks.list()).map(({ source_identifier }) => source_identifier)
    expect(identifiers).toEqual(['', 'Shop', `task-${origin.id}`, `config-${config.id}`, ''])
  })

  test('importing an exported file changes nothing and restores deleted tasks in their order', async () => {
    const origin = await tasks.add({ name: 'Origin' })
    await tasks.add({ name: 'Reads', source_type: 'internal', source_identifier: `task-${origin.id}` })
    await tasks.add({ name: 'Other' })
    const before = await exported()
    expect(await imported(before)).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 })
    expect(await exported()).toBe(before)
    await app.db.deleteFrom('source_tasks').where('task_id', '<>', origin.id).execute()
    await app.db.deleteFrom('tasks').where('id', '<>', origin.id).execute()
    expect(await imported(before)).toMatchObject({ created: 2, unchanged: 1 })
    expect(await exported()).toBe(before)
  })

  test('export and import preserve any text', async () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'\'"=+-@,;\n aÜ€𝄞'), maxLength: 30 })
    const fields = fc.record({
      name: fc.nat(9999).map((n) => `${['=', '+', '-', '@', "'=", 'N'][n % 6]}${n}, "x"`),
      description: hostile.map((words) => words.trim()),
      sheet_name: hostile.map((words) => `T${words.replaceAll('\n', '')}`),
      chunk_size: fc.integer({ min: 1, max: limits.chunk_size_max }),
      min_rows_percent: fc.integer({ min: 0, max: 100 }),
      max_rows: fc.integer({ min: 1, max: limits.source_rows_max }),
      is_active: fc.boolean(),
      is_master_catalog: fc.boolean(),
      relevant_user_accounts: fc.subarray([ada.email]),
    })
    const several = fc.uniqueArray(fields, { minLength: 1, maxLength: 4, selector: ({ name }) => name })
    await fc.assert(
      fc.asyncProperty(several, async (given) => {
        for (const each of given) await tasks.add(each)
        const before = await exported()
        expect(await imported(before)).toMatchObject({ unchanged: given.length, failed: 0 })
        await app.db.deleteFrom('tasks').execute()
        expect(await imported(before)).toMatchObject({ created: given.length, failed: 0 })
        expect(await exported()).toBe(before)
        await app.db.deleteFrom('tasks').execute()
      }),
      { numRuns: 10 },
    )
  })

  const refused: [row: string, field: string | null, message: string][] = [
    [
      'Hourly,A,sheet,,spreadsheet-00000001,Tab',
      'source_task_type_name',
      csvJobServerMessages.csv_type_unknown('Hourly'),
    ],
    ['Nightly, ,sheet,,spreadsheet-00000001,Tab', 'name', fieldMessages.name_required],
    ['Nightly,A,,,spreadsheet-00000001,Tab', 'source_type', sourceMessages.source_type_required],
    ['Nightly,A,sheet,,,Tab', 'spreadsheet_id', sourceMessages.spreadsheet_required],
    ['Nightly,A,sheet,,too-short,Tab', 'spreadsheet_id', fieldMessages.spreadsheet_id_short],
    ['Nightly,A,sheet,,spreadsheet-00000001,', 'sheet_name', sourceMessages.sheet_name_required],
    ['Nightly,A,api,not there,,', 'source_identifier', sourceMessages.identifier_invalid],
    ['Nightly,A,api,Gone,,', 'source_identifier', sourceServerMessages.connection_gone('api', 'Gone')],
    [
      'Nightly,A,internal,task-999999999,,',
      'source_identifier',
      sourceServerMessages.origin_gone('task-999999999'),
    ],
    ['Nightly,A,internal,Shop,,', 'source_identifier', sourceServerMessages.origin_form],
    ['Nightly,Good,sheet,,spreadsheet-00000001,Tab', 'name', csvJobServerMessages.csv_key_twice(2)],
    ['Nightly,A', null, csvJobServerMessages.csv_row_ragged(2, 6)],
  ]
  test('refused rows are reported by row, field and reason, and valid ones are imported', async () => {
    const reply = await imported(
      file(sheet('Good'), ...refused.map(([row], n) => row.replace(',A,', `,A${n},`)), sheet('Good too')),
    )
    expect(reply).toMatchObject({ status: 'partial_success', created: 2, failed: refused.length })
    expect(reply.errors).toEqual(
      refused.map(([, field, message], index) => ({ row: index + 3, field, message })),
    )
    expect(await tasks.list()).toMatchObject([{ name: 'Good' }, { name: 'Good too' }])
  })

  test('numbers and flags are checked as in a call', async () => {
    await aConnection(app, { name: 'Anything' })
    const header =
      'source_task_type_name,name,source_type,source_identifier,chunk_size,is_active,min_rows_percent,max_rows'
    const rows = [
      ',A,api,Anything,0,,,',
      ',B,api,Anything,many,,,',
      ',C,api,Anything,,maybe,,',
      ',D,api,Anything,,,101,',
      ',E,api,Anything,,,,0',
      ',F,api,Anything,5.0,FALSE,0,1',
    ]
    const reply = await imported([header, ...rows].join('\n'))
    expect(reply).toMatchObject({ created: 1, failed: 5 })
    expect(reply.errors.map(({ field }) => field)).toEqual([
      'chunk_size',
      'chunk_size',
      'is_active',
      'min_rows_percent',
      'max_rows',
    ])
    expect(await tasks.list()).toMatchObject([
      { name: 'F', chunk_size: 5, is_active: false, min_rows_percent: 0, max_rows: 1 },
    ])
  })

  test('the header row of a sheet is exported and imported; a file without it keeps it', async () => {
    const { spreadsheet_id } = await tasks.add({ name: 'Report', start_row: 3 })
    const before = (await ada.request('GET', '/api/source_tasks/export_csv')).body
    expect(before).toContain(',3,1,true')
    expect(await imported(before)).toMatchObject({ unchanged: 1 })
    const header = 'source_task_type_name,name,source_type,spreadsheet_id,sheet_name'
    const row = `,Report,sheet,${spreadsheet_id},Products`
    expect(await imported(`${header}\n${row}`)).toMatchObject({ unchanged: 1 })
    expect(await imported(`${header},start_row\n${row},0`)).toMatchObject({
      errors: [{ field: 'start_row', message: 'start_row must be at least 1' }],
    })
    expect(await imported(`${header},start_row\n${row},5`)).toMatchObject({ updated: 1 })
    expect(await tasks.list()).toMatchObject([{ name: 'Report', start_row: 5 }])
  })

  test('only the row that would close a cycle is refused', async () => {
    const first = await tasks.add({ name: 'First' })
    const second = await tasks.add({
      name: 'Second',
      source_type: 'internal',
      source_identifier: `task-${first.id}`,
    })
    const reply = await imported(file(`,First,internal,task-${second.id},,`, sheet('Third', '')))
    expect(reply).toMatchObject({ created: 1, failed: 1 })
    expect(reply.errors).toEqual([
      {
        row: 2,
        field: 'source_identifier',
        message: taskTypeServerMessages.origin_cycle(['First', 'Second', 'First']),
      },
    ])
  })

  test('a file that changes an origin assigns the account of the importing user', async () => {
    const { id } = await sourceTasksOf(await app.signIn('bob@example.com')).add({ name: 'Bob’s' })
    await imported(file(`,Bob’s,sheet,,${aSpreadsheetId()},Tab`))
    expect(await tasks.get(id)).toMatchObject({ account: { email: ada.email } })
  })

  test('the first hundred failures are reported', async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `Nightly,T${n},sheet,,,Tab`)
    const reply = await imported(file(...rows))
    expect(reply).toMatchObject({ status: 'failed', failed: 150 })
    expect(reply.errors).toHaveLength(limits.csv_errors_shown)
  })

  test('ten thousand rows are imported, of which a thousand name a deleted connection', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `,T${n},api,${n % 10 ? 'Shop' : 'Gone'},,`)
    expect(await imported(file(...rows))).toMatchObject({ created: 9_000, failed: 1_000 })
  })
})

import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSpreadsheetId, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'
import { syncTaskServerMessages } from '../../../contract/sync-tasks/server-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let site: TestApp
let ada: SignedIn
let uploads: ReturnType<typeof uploadsTo>
let type: { id: number; name: string }

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  type = await aType(site.db, { name: 'Imports', chunk_size: 1500 })
})

const imported = (content: string) => uploads.imported(content)
const exported = async () => (await ada.request('GET', '/api/sync_tasks/export')).body

const HEADER = 'task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name'
let serial = 0
/** A row under HEADER, between spreadsheets of its own. */
function row(
  name: string,
  { of = type.name, source = aSpreadsheetId(), target = aSpreadsheetId(), sheet = 'Target' } = {},
): string {
  serial += 1
  return `${of},${name},${source},Source,${target},${sheet}`
}
const file = (...rows: string[]) => [HEADER, ...rows, ''].join('\r\n')

const tasksOf = (type_id: number) =>
  sql<{ task: Record<string, unknown> }>`
    select to_jsonb(t) - 'id' - 'updated_at' - 'created_at' - 'task_type_id' - 'scheduled_since'
      || to_jsonb(s) - 'task_id' - 'names_due_at' as task
    from tasks t join sync_tasks s on s.task_id = t.id where t.task_type_id = ${type_id}
    order by t.sort_order, t.id`
    .execute(site.db)
    .then(({ rows }) => rows.map(({ task }) => task))

describe('import', () => {
  test('new tasks are added in the order of the file, with defaults for omitted columns', async () => {
    const of = await aType(site.db, { name: 'Defaults', chunk_size: 1700 })
    const reply = await imported(file(row('First', { of: of.name }), row('Second', { of: of.name })))
    expect(reply).toMatchObject({ status: 'success', created: 2, updated: 0, unchanged: 0, failed: 0 })
    expect(await tasksOf(of.id)).toMatchObject([
      { name: 'First', sort_order: 1, chunk_size: 1700, start_row: 1, is_active: true, scheduled_times: [] },
      { name: 'Second', sort_order: 2 },
    ])
  })

  test('a task is identified by its name within its type', async () => {
    const of = await aType(site.db, { name: 'Other type' })
    await imported(file(row('Same name')))
    expect(await imported(file(row('Same name', { of: of.name })))).toMatchObject({ created: 1, updated: 0 })
  })

  test('omitted columns keep their values', async () => {
    const of = await aType(site.db, { name: 'Kept' })
    const task = await aSyncTask(site.db, {
      task_type_id: of.id,
      scheduled_times: ['04:00'],
      chunk_size: 77,
      definition: { target_ss_id: 'target-that-stays' },
    })
    const reply = await imported(
      `task_type,name,target_ss_id,target_sheet_name,start_row\nKept,${task.name},target-that-stays,Target,9\n`,
    )
    expect(reply).toMatchObject({ status: 'success', updated: 1 })
    expect(await tasksOf(of.id)).toMatchObject([{ scheduled_times: ['04:00'], chunk_size: 77, start_row: 9 }])
  })

  test('importing an exported file changes nothing', async () => {
    await aSyncTask(site.db, { task_type_id: type.id, name: "'=1", is_active: false })
    const [before, tasks] = [await exported(), await tasksOf(type.id)]
    const reply = await imported(before)
    expect(reply).toMatchObject({ status: 'success', created: 0, updated: 0, failed: 0 })
    expect(reply.unchanged).toBeGreaterThan(0)
    expect(await exported()).toBe(before)
    expect(await tasksOf(type.id)).toEqual(tasks)
  })

  test('deleted tasks are restored by importing their export', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@,; aÜ€𝄞'), maxLength: 20 })
    const id = fc.integer({ min: 0 }).map((n) => `spreadsheet-${String(n).padStart(10, '0')}`)
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'))
    const definition = fc.record({
      source_ss_id: id,
      source_sheet_name: text,
      target_ss_id: id,
      target_sheet_name: text.map((tab) => `T${tab}`),
      start_row: fc.integer({ min: 1, max: limits.start_row_max }),
    })
    const name = fc.nat(9999).map((n) => `${['=', '+', '-', '@', "'=", 'N'][n % 6]}${n}, "x"`)
    const fields = fc.record({
      name,
      definition,
      is_active: fc.boolean(),
      chunk_size: fc.integer({ min: 1, max: limits.chunk_size_max }),
      scheduled_times: fc.uniqueArray(time, { maxLength: 4 }),
      relevant_user_accounts: fc.subarray(['ada@example.com']),
    })
    const tasks = fc.uniqueArray(fields, {
      minLength: 1,
      maxLength: 4,
      selector: ({ name: key }) => key,
    })
    const ofType = await aType(site.db, { name: 'There and back' })
    const author = await site.db
      .selectFrom('users')
      .select(['id as created_by', 'id as account_user_id'])
      .where('email', '=', ada.email)
      .executeTakeFirstOrThrow()
    await fc.assert(
      fc.asyncProperty(tasks, async (given) => {
        for (const [index, task] of given.entries())
          await aSyncTask(site.db, {
            ...task,
            task_type_id: ofType.id,
            ...author,
            sort_order: index + 1,
            definition: { ...task.definition, target_ss_id: `${task.definition.target_ss_id}-${index}` },
          })
        const [saved, before] = [await exported(), await tasksOf(ofType.id)]
        await site.db.deleteFrom('tasks').where('task_type_id', '=', ofType.id).execute()
        expect(await imported(saved)).toMatchObject({ status: 'success', created: given.length })
        expect(await tasksOf(ofType.id)).toEqual(before)
        expect((await exported()).length).toBe(saved.length)
        await site.db.deleteFrom('tasks').where('task_type_id', '=', ofType.id).execute()
      }),
      { numRuns: 25 },
    )
  })

  test('refused rows are reported with number, column and reason, and valid ones are added', async () => {
    const taken = aSpreadsheetId()
    const reply = await imported(
      file(
        row('Good 1'),
        row(''),
        row('x'.repeat(101)),
        row('Unknown type', { of: 'Nowhere' }),
        row('Ragged').concat(',more'),
        row('Short id', { target: 'short' }),
        row('Good 2', { target: taken }),
        row('Same target', { target: taken }),
        row('Good 1'),
        row('Bell', { sheet: 'Shop\u0007' }),
        row('=IMPORTXML(1)'),
      ),
    )
    expect(reply).toMatchObject({
      status: 'partial_success',
      message: '3 created, 0 updated, 0 unchanged, 8 rows were refused',
      created: 3,
      failed: 8,
    })
    expect(reply.errors).toEqual([
      { row: 3, field: 'name', message: fieldMessages.name_required },
      { row: 4, field: 'name', message: fieldMessages.name_too_long },
      { row: 5, field: 'task_type', message: csvJobServerMessages.csv_type_unknown('Nowhere') },
      { row: 6, field: null, message: csvJobServerMessages.csv_row_ragged(7, 6) },
      { row: 7, field: 'target_ss_id', message: fieldMessages.spreadsheet_id_short },
      { row: 9, field: 'target_sheet_name', message: syncTaskServerMessages.target_taken },
      { row: 10, field: 'name', message: csvJobServerMessages.csv_key_twice(2) },
      { row: 11, field: 'target_sheet_name', message: fieldMessages.sheet_name_control },
    ])
    const added = (await tasksOf(type.id)).map((task) => task.name)
    expect(added).toEqual(expect.arrayContaining(['Good 1', 'Good 2', '=IMPORTXML(1)']))
  })

  test('rows with targets of other tasks are refused, each with its reason, next to other refusals', async () => {
    const [source, target, twice] = [aSpreadsheetId(), aSpreadsheetId(), aSpreadsheetId()]
    await imported(file(row('Earlier', { source, target })))
    const rows = [
      row('Free 1'),
      row('Other source', { target, sheet: 'tARGET' }),
      row('Same source', { source, target }),
      row('One of two', { target: twice }),
      row('Other of two', { target: twice }),
      row('Full width', { target: twice, sheet: 'Ｔａｒｇｅｔ' }),
    ]
    expect((await imported(file(...rows, row('Free 2')))).errors).toEqual([
      { row: 3, field: 'target_sheet_name', message: syncTaskServerMessages.target_taken },
      { row: 4, field: 'target_sheet_name', message: syncTaskMessages.source_target_taken },
      { row: 6, field: 'target_sheet_name', message: syncTaskServerMessages.target_taken },
      { row: 7, field: 'target_sheet_name', message: syncTaskServerMessages.target_taken },
    ])
  })

  test('a long file of taken targets is refused without repeated attempts, and its free targets are added', async () => {
    const target = aSpreadsheetId()
    await imported(file(row('Holder', { target })))
    const drawn = async () => {
      const { rows } = await sql<{ last: number }>`
        select last_value::int as last from pg_sequences
        where sequencename = split_part(pg_get_serial_sequence('tasks', 'id'), '.', 2)`.execute(site.db)
      return rows[0]?.last ?? Number.NaN
    }
    const before = await drawn()
    // Rows are taken a thousand at a time.
    const rows = Array.from({ length: 4000 }, (_, n) => row(`Taken ${n}`, n % 1000 === 500 ? {} : { target }))
    const reply = await imported(file(...rows))
    expect(reply).toMatchObject({ status: 'partial_success', created: 4, failed: 3996 })
    // The first thousand are tried, as those of most files are all added.
    expect((await drawn()) - before).toBe(1000 + 4)
  })

  const fields: [column: string, cell: string, message: string][] = [
    ['chunk_size', '0', 'chunk_size must be at least 1'],
    ['chunk_size', '1.5', 'chunk_size must be a number'],
    ['start_row', 'one', 'start_row must be a number'],
    ['is_active', 'yes', 'is_active must be true or false'],
    ['source_type', 'api', 'source_type must be one of "sheet", "internal"'],
    ['source_type', 'internal', fieldMessages.config_required],
    ['source_compiler_config_id', '99999', 'The compiler configuration no longer exists.'],
    ['sync_preset_id', '99999', 'The sync preset no longer exists.'],
    ['scheduled_times', '"04:00, 24:00"', fieldMessages.time_invalid],
    ['scheduled_times', '"04:00, 04:00"', fieldMessages.time_duplicate],
    [
      'relevant_user_accounts',
      'stranger@example.com',
      taskServerMessages.account_not_shared('stranger@example.com'),
    ],
    ['relevant_user_accounts', 'ada', 'relevant_user_accounts must be an e-mail address'],
  ]
  test.each(fields)(
    '%s %j is refused with the message of the call that adds a task',
    async (column, cell, message) => {
      const reply = await imported(`${HEADER},${column}\n${row(`Field ${serial}`)},${cell}\n`)
      expect(reply).toMatchObject({
        status: 'failed',
        message: csvJobServerMessages.all_rows_refused(1),
        created: 0,
      })
      expect(reply.errors).toEqual([{ row: 2, field: expect.stringMatching(/^[a-z_]+$/), message }])
    },
  )

  test('a task with a live run is not changed, and its row is refused with the reason', async () => {
    const task = await aSyncTask(site.db, { task_type_id: type.id })
    await aRun(site.db, task.id)
    const reply = await imported(file(row(task.name)))
    expect(reply.errors).toEqual([{ row: 2, field: null, message: taskMessages.live_edit }])
  })

  test('if row 900 of 1,000 is invalid, 999 are added', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => row(index === 898 ? ' ' : `Thousand ${index}`))
    const reply = await imported(file(...rows))
    expect(reply).toMatchObject({ status: 'partial_success', created: 999, failed: 1 })
    expect(reply.errors).toEqual([{ row: 900, field: 'name', message: fieldMessages.name_required }])
  })

  test('only the first 100 errors are listed, all are counted', async () => {
    const reply = await imported(file(...Array.from({ length: 150 }, () => row(''))))
    expect(reply.failed).toBe(150)
    expect(reply.errors).toHaveLength(100)
  })

  test('the same file twice at once adds its tasks once', async () => {
    const content = file(...Array.from({ length: 300 }, (_, index) => row(`At once ${index}`)))
    const replies = await Promise.all([imported(content), imported(content)])
    expect(replies.map(({ status }) => status)).toEqual(['success', 'success'])
    expect(replies.map(({ created, unchanged }) => [created, unchanged]).sort()).toEqual([
      [0, 300],
      [300, 0],
    ])
  })

  test('an import and each added task are in the audit log', async () => {
    const { job_id } = await imported(file(row('Audited')))
    const entries = await site.db
      .selectFrom('audit_log')
      .select(['action', 'object_id', 'details'])
      .where('actor', '=', ada.email)
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(entries).toMatchObject([
      { action: 'import', object_id: null, details: { job_id, filename: 'tasks.csv', created: 1 } },
      { action: 'create', details: { name: 'Audited' } },
    ])
  })
})

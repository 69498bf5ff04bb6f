import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aCopy, aSourceTask } from '../../../../test/fixtures/factories.ts'
import { planningDb } from '../../../../test/fixtures/plans.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { prune } from '../../engine/prune.ts'
import type { Db } from '../../platform/db.ts'
import { exportRows as exportRowsOf } from '../../tasks/run/stored-rows.ts'

const exportRows = (db: Db, id: number) => exportRowsOf(db, { category: 'source', id })

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

async function withRows(columns: string[], rows: (string | number | boolean | null)[][]) {
  const { id } = await aSourceTask(app.db)
  const { id: version } = await aCopy(app.db, id, columns, rows)
  return { id, version }
}

/** A task with so many rows of two cells. */
async function withMany(rows: number) {
  const task = await withRows(['Number', 'Text'], [])
  await sql`insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${task.version}, n, jsonb_build_array(n, 'Row ' || n) from generate_series(1, ${rows}::int) n`.execute(
    app.db,
  )
  await app.db.updateTable('snapshots').set({ row_count: rows }).where('id', '=', task.version).execute()
  return task
}

const data = (id: number, query = '') =>
  tasks.reply('GET', `/api/source_task_data?source_task_id=${id}${query}`)
const page = async (id: number, query = '') => sourceTasks.data.reply.parse((await data(id, query))[1])
const exported = async (id: number) => {
  const content = (await exportRows(app.db, id)).content
  return text(Readable.from(content))
}

describe('/api/source_task_data', () => {
  test('pages are counted from 1 and have 100 rows by default, with all columns and the number of rows', async () => {
    const { id } = await withMany(250)
    expect(await page(id)).toEqual({
      data: expect.arrayContaining([{ Number: 1, Text: 'Row 1' }]),
      columns: ['Number', 'Text'],
      number_formats: {},
      cell_formats: {},
      total: 250,
      page: 1,
      page_size: 100,
    })
    expect((await page(id)).data).toHaveLength(100)
    expect((await page(id, '&page=3')).data).toHaveLength(50)
    expect((await page(id, '&page=2&page_size=10')).data[0]).toEqual({ Number: 11, Text: 'Row 11' })
    for (const size of [50, 250, 500]) expect((await page(id, `&page_size=${size}`)).page_size).toBe(size)
  })

  test('a page past the end is empty, however far', async () => {
    const { id } = await withMany(3)
    expect(await page(id, '&page=2')).toMatchObject({ data: [], total: 3 })
    expect(await page(id, '&page=10000000&page_size=500')).toMatchObject({ data: [], page: 10_000_000 })
  })

  test('max_columns keeps the first columns', async () => {
    const { id } = await withRows(['A', 'B', '', 'B'], [[1, 2, 3, 4]])
    expect(await page(id, '&max_columns=3')).toMatchObject({
      columns: ['A', 'B', 'Column C'],
      data: [{ A: 1, B: 2, 'Column C': 3 }],
    })
    expect((await page(id, '&max_columns=10000')).columns).toEqual(['A', 'B', 'Column C', 'B (2)'])
  })

  test('a task without data is 404 with the text of the specification, also for an export', async () => {
    const { id } = await aSourceTask(app.db)
    const none = [404, { code: 'no_data', message: 'No data available for this task yet' }]
    expect(sourceMessages.no_data).toBe('No data available for this task yet')
    expect(await data(id)).toMatchObject(none)
    expect(await tasks.reply('GET', `/api/source_tasks/${id}/export_csv`)).toMatchObject(none)
  })

  test('data with zero rows is not missing data', async () => {
    const { id } = await withRows(['SKU'], [])
    expect(await page(id)).toMatchObject({ data: [], columns: ['SKU'], total: 0 })
    expect(await exported(id)).toBe('SKU\r\n')
  })

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['page=-1', 'page'],
    ['page_size=501', 'page_size'],
    ['page_size=0', 'page_size'],
    ['max_columns=0', 'max_columns'],
    ['max_columns=1.5', 'max_columns'],
    ['offset=1', 'offset'],
  ])('%s is refused with the name %s', async (query, field) => {
    const { id } = await withRows(['SKU'], [['a']])
    expect(await data(id, `&${query}`)).toMatchObject([400, { field }])
  })

  test('a request without a task is refused', async () => {
    expect(await tasks.reply('GET', '/api/source_task_data')).toMatchObject([
      400,
      { field: 'source_task_id' },
    ])
    expect(await data(0)).toMatchObject([400, { field: 'source_task_id' }])
  })
})

test('data_copy pages the current rows by row or sorted by a column, and stays with its version', async () => {
  const { id, version } = await withRows(['SKU', 'Price'], [['b', 2], ['a', 10], ['c']])
  const read = async (rest: string) =>
    (await tasks.reply('GET', `/api/source_tasks/${id}/data_copy${rest}`))[1]
  expect(await read('/columns')).toMatchObject({ available_columns: ['SKU', 'Price'], total: 3, version })
  expect(await read('?sort=Price&order=desc&columns=SKU')).toMatchObject({
    data: [{ SKU: 'a' }, { SKU: 'b' }, { SKU: 'c' }],
    version,
  })
  await aCopy(app.db, id, ['SKU', 'Price'], [['later', 1]])
  expect(await read(`?offset=1&version=${version}`)).toMatchObject({
    data: [{ SKU: 'a', Price: 10 }, { SKU: 'c' }],
  })
})

describe('the export of a task’s rows', () => {
  test('is a file with the task’s name and all columns and rows, with formulas escaped', async () => {
    const { id } = await withRows(
      ['SKU', 'price.amount', '=HYPERLINK("x")', ''],
      [['007', 20.5, '=1+1', 'two\nlines'], ['"quoted", x', -3, "'@sum", true], [null, null, '＝1'], []],
    )
    const reply = await app.app.inject({
      url: `/api/source_tasks/${id}/export_csv`,
      headers: (await app.signIn()).headers,
    })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="source_task_${id}_data_copy.csv"`,
    })
    expect(reply.body.split('\r\n')).toEqual([
      `\ufeffSKU,price.amount,"'=HYPERLINK(""x"")",Column D`,
      `007,20.5,'=1+1,"two\nlines"`,
      `"""quoted"", x",-3,''@sum,true`,
      ",,'＝1,",
      ',,,',
      '',
    ])
  })

  test('is read as fast as the client reads, and stops when the client disconnects', async () => {
    const { id } = await withMany(40_000)
    const pages: string[] = []
    const db = planningDb(app.database.url, /snapshot_rows/, ({ text }) => pages.push(text))
    const begun = Readable.from((await exportRows(db, id)).content)
    begun.once('data', () => begun.pause())
    await once(begun, 'pause')
    begun.destroy()
    await once(begun, 'close')
    const { content } = await exportRows(db, id)
    const whole = await text(Readable.from(content))
    await db.destroy()
    expect(whole.split('\r\n')).toHaveLength(40_002)
    // All of one, and of the other what fits between a page and its reader.
    expect(pages.length).toBeLessThan(40 + 10)
  })

  test('contains every row of its version, even if a run ends and old versions are pruned meanwhile', async () => {
    const { id, version } = await withMany(5_000)
    const rows = Readable.from((await exportRows(app.db, id)).content)
    const taken = text(rows)
    await aCopy(app.db, id, ['Number'], [[1]])
    await sql`update snapshots set created_at = now() - interval '1 hour' where id = ${version}`.execute(
      app.db,
    )
    await prune(app.db, 90)
    expect((await taken).split('\r\n')).toHaveLength(5_002)
  })
})

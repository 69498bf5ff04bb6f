import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aCopy, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

async function copied(columns: string[], rows: (string | number | boolean | null)[][]) {
  const task = await aSyncTask(app.db)
  await aCopy(app.db, task.id, columns, rows)
  return `/api/sync_tasks/${task.id}/data_copy`
}

async function page(url: string) {
  const reply = await ada.request('GET', url)
  expect(reply.statusCode).toBe(200)
  return syncTasks.dataCopy.reply.parse(reply.json()).data
}

test('columns are those of the last copy, of which 20 are shown by default', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `Field ${n + 1}`)
  const url = await copied(names, [names])
  const reply = await ada.request('GET', `${url}/columns`)
  expect(reply.json()).toEqual({
    available_columns: names,
    default_selected_columns: names.slice(0, 20),
    number_formats: {},
    total: 1,
    copied_at: expect.stringMatching(/Z$/),
    version: expect.any(Number),
  })
})

test('columns have the number format of the sheet', async () => {
  const task = await aSyncTask(app.db)
  const formats = [null, { type: 'CURRENCY', pattern: '[$€]#,##0.00' }, { type: 'DATE' }]
  const { id } = await aCopy(app.db, task.id, ['SKU', 'Price', 'Price'], [['007', 20.69, 43831]])
  await app.db
    .updateTable('snapshots')
    .set({ formats: JSON.stringify(formats) })
    .where('id', '=', id)
    .execute()
  const url = `/api/sync_tasks/${task.id}/data_copy`
  expect((await ada.request('GET', `${url}/columns`)).json().number_formats).toEqual({
    Price: formats[1],
    'Price (2)': formats[2],
  })
  expect(await page(url)).toEqual([{ SKU: '007', Price: 20.69, 'Price (2)': 43831 }])
})

test('a task without a copy has no columns and no rows', async () => {
  const task = await aSyncTask(app.db)
  const url = `/api/sync_tasks/${task.id}/data_copy`
  expect((await ada.request('GET', `${url}/columns`)).json()).toEqual({
    available_columns: [],
    default_selected_columns: [],
    number_formats: {},
    total: 0,
    copied_at: null,
    version: null,
  })
  expect((await ada.request('GET', `${url}?sort=SKU`)).json()).toEqual({
    data: [],
    cell_formats: {},
    found: null,
    version: null,
  })
})

test('rows are objects by column with typed values; a blank header is "Column D", a repeated one "Name (2)"', async () => {
  const url = await copied(
    ['SKU', 'Name', 'Name', '', '__proto__'],
    [
      ['007', 1.5, true, null, '=A1'],
      ['<b>', 'x'],
    ],
  )
  const reply = await ada.request('GET', url)
  expect(reply.body).toContain(
    '[{"SKU":"007","Name":1.5,"Name (2)":true,"Column D":null,"__proto__ (2)":"=A1"},' +
      '{"SKU":"<b>","Name":"x","Name (2)":null,"Column D":null,"__proto__ (2)":null}]',
  )
})

test('a page has 500 rows at most, in the order of the rows, and the last one is shorter', async () => {
  const url = await copied(
    ['n'],
    Array.from({ length: 1201 }, (_, n) => [n]),
  )
  const first = await page(url)
  expect(first).toHaveLength(500)
  expect([first[0], first.at(-1)]).toEqual([{ n: 0 }, { n: 499 }])
  expect(await page(`${url}?offset=1000`)).toHaveLength(201)
  expect(await page(`${url}?offset=1200&limit=1`)).toEqual([{ n: 1200 }])
  expect(await page(`${url}?offset=5000`)).toEqual([])
})

const mixed = ['b', null, 10, 'A', true, 9, '', 'a', false, -1.5, '10', 'B', 'é', 'z']
const rows = mixed.map((value, n) => [n, value])

test('sorting is typed: numbers, text, booleans, blanks last; equal values keep their order', async () => {
  const url = await copied(['n', 'value'], [...rows, [99, 9]])
  const sorted = await page(`${url}?sort=value`)
  expect(sorted.map(({ value }) => value)).toEqual([
    -1.5,
    9,
    9,
    10,
    '10',
    'a',
    'A',
    'b',
    'B',
    'é',
    'z',
    false,
    true,
    null,
    '',
  ])
  expect(sorted.slice(1, 3).map(({ n }) => n)).toEqual([5, 99])
})

test('descending order reverses the values and keeps blanks last', async () => {
  const url = await copied(['n', 'value'], rows)
  const sorted = await page(`${url}?sort=value&order=desc`)
  expect(sorted.map(({ value }) => value)).toEqual([
    true,
    false,
    'z',
    'é',
    'B',
    'b',
    'A',
    'a',
    '10',
    10,
    9,
    -1.5,
    null,
    '',
  ])
})

test('pages of a sorted copy join without gaps and repetitions', async () => {
  const url = await copied(
    ['n', 'group'],
    Array.from({ length: 100 }, (_, n) => [n, n % 3]),
  )
  const pages = await Promise.all(
    [0, 40, 80].map((offset) => page(`${url}?sort=group&offset=${offset}&limit=40`)),
  )
  const joined = pages.flat()
  expect(joined.map(({ group }) => group)).toEqual([...joined.map(({ group }) => group)].sort())
  expect(new Set(joined.map(({ n }) => n)).size).toBe(100)
})

async function manyRows(rows: number) {
  const task = await aSyncTask(app.db)
  const { id } = await aCopy(app.db, task.id, ['n', 'value'], [])
  await app.db.updateTable('snapshots').set({ row_count: rows }).where('id', '=', id).execute()
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${id}, n, case n % 4
      when 0 then jsonb_build_array(n, n % 1000) when 1 then jsonb_build_array(n, 'text ' || n % 100)
      when 2 then jsonb_build_array(n, n % 8 = 2) else jsonb_build_array(n) end
    from generate_series(1, ${rows}::int) n`.execute(app.db)
  return { version: id, url: `/api/sync_tasks/${task.id}/data_copy?sort=value` }
}

test('pages of a large sorted copy hold every row once, those of each kind in their order', async () => {
  const { url } = await manyRows(4_100)
  const numbers = async (order: string) => {
    const pages = await Promise.all(
      Array.from({ length: 9 }, (_, n) => page(`${url}&order=${order}&offset=${n * 500}`)),
    )
    return pages.flat().map(({ n }) => Number(n))
  }
  const every = Array.from({ length: 4_100 }, (_, n) => n + 1)
  const of = (rest: number, key: (n: number) => number | string) =>
    every
      .filter((n) => n % 4 === rest)
      .sort(
        (a, b) =>
          (typeof key(a) === 'number'
            ? Number(key(a)) - Number(key(b))
            : String(key(a)).localeCompare(String(key(b)))) || a - b,
      )
  const filled = [
    ...of(0, (n) => n % 1000),
    ...of(1, (n) => `text ${n % 100}`),
    ...of(2, (n) => Number(n % 8 === 2)),
  ]
  const blank = of(3, (n) => n)

  expect(await numbers('asc')).toEqual([...filled, ...blank])
  expect(await numbers('desc')).toEqual([...filled.toReversed(), ...blank])
})

test('a sort order is stored once for simultaneous requests and deleted with its version', async () => {
  const { url, version } = await manyRows(3_000)
  const orders = () =>
    app.db.selectFrom('snapshot_orders').selectAll().where('snapshot_id', '=', version).execute()
  const parts = () =>
    app.db.selectFrom('snapshot_order_parts').select('part_no').where('snapshot_id', '=', version).execute()

  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => page(url)))
  for (const other of others) expect(other).toEqual(first)
  const stored = await orders()
  expect(stored).toMatchObject([{ column_no: 1, filled: 2_250 }])
  expect(await parts()).toHaveLength(3)
  await page(`${url}&order=desc&offset=500`)
  expect(await orders()).toEqual(stored)

  await app.db.deleteFrom('snapshots').where('id', '=', version).execute()
  expect([...(await orders()), ...(await parts())]).toEqual([])
})

test('a copy keeps the eight most recently used sort orders', async () => {
  const columns = Array.from({ length: 9 }, (_, n) => `c${n}`)
  const url = await copied(columns, [columns, columns.toReversed()])
  for (const column of columns) expect(await page(`${url}?sort=${column}`)).toHaveLength(2)
  const { rows } = await sql<{ column_no: number }>`
    select column_no from snapshot_orders o join snapshots s on s.id = o.snapshot_id
    where s.columns = ${JSON.stringify(columns)}::jsonb order by 1`.execute(app.db)
  expect(rows.map(({ column_no }) => column_no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const first = await page(`${url}?sort=c0`)
  expect(first.map(({ c0 }) => c0)).toEqual(['c0', 'c8'])
})

test('columns may be repeated or written as columns[]; only those are returned, in the requested order', async () => {
  const url = await copied(['a', 'b', 'c d'], [[1, 2, 3]])
  const body = async (query: string) => (await ada.request('GET', url + query)).body
  expect(await body('?columns=c%20d&columns=a')).toContain('[{"c d":3,"a":1}]')
  expect(await body('?columns[]=b&columns[]=a')).toContain('[{"b":2,"a":1}]')
  expect(await body('?columns%5B%5D=b')).toContain('[{"b":2}]')
  expect(await body('?columns=b&sort=a')).toContain('[{"b":2}]')
})

test.each([
  ['sort', 'nothing'],
  ['sort', 'id;drop'],
  ['sort', 'a" desc; drop table tasks --'],
  ['sort', ''],
  ['columns', 'nothing'],
  ['columns[]', 'constructor'],
])('%s by the unknown column “%s” is refused', async (field, name) => {
  const url = await copied(['a'], [[1]])
  const reply = await ada.request('GET', `${url}?${field}=${encodeURIComponent(name)}`)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().message).toBe(taskServerMessages.column_unknown(name))
})

test.each([
  'offset=-1',
  'offset=1.5',
  'limit=0',
  'limit=501',
  'limit=-1',
  'limit=999999',
  'order=up',
  'page=1',
])('data copy refuses ?%s', async (query) => {
  const url = await copied(['a'], [[1]])
  expect((await ada.request('GET', `${url}?${query}`)).statusCode).toBe(400)
})

test('a search finds the rows with a cell that contains the text, by row or sorted, in pages with their number', async () => {
  const url = await copied(
    ['SKU', 'Name', 'Stock'],
    [
      ['007', 'Blue "Ink"', 3],
      ['008', 'Red', 20],
      ['009', 'light BLUE', null],
      ['010', String.raw`a\b 100%`, 1],
    ],
  )
  const read = async (query: string) => {
    const reply = await ada.request('GET', `${url}?${query}`)
    expect(reply.statusCode).toBe(200)
    const { data, found } = syncTasks.dataCopy.reply.parse(reply.json())
    return { found, skus: data.map(({ SKU }) => SKU) }
  }
  expect(await read('search=blue')).toEqual({ found: 2, skus: ['007', '009'] })
  expect(await read('search=%20blue%20&limit=1&offset=1')).toEqual({ found: 2, skus: ['009'] })
  // Signs of JSON and of patterns are searched as they are; separators of cells are not text.
  expect(await read('search=%22ink%22')).toEqual({ found: 1, skus: ['007'] })
  expect(await read(`search=${encodeURIComponent(String.raw`a\b`)}`)).toEqual({ found: 1, skus: ['010'] })
  expect(await read('search=100%25')).toEqual({ found: 1, skus: ['010'] })
  expect(await read(`search=${encodeURIComponent('", "')}`)).toEqual({ found: 0, skus: [] })
  expect(await read('search=20')).toEqual({ found: 1, skus: ['008'] })
  expect(await read('search=0&sort=Stock&order=desc')).toEqual({
    found: 4,
    skus: ['008', '007', '010', '009'],
  })
  expect(await read('search=blue&sort=Name')).toEqual({ found: 2, skus: ['007', '009'] })
  expect(await read('search=')).toEqual({ found: null, skus: ['007', '008', '009', '010'] })
  expect((await ada.request('GET', `${url}?search=${'x'.repeat(201)}`)).statusCode).toBe(400)
})

test('copied rows are exported as CSV, without formulas; a task without rows has no file', async () => {
  const url = await copied(['SKU', 'Note'], [['007', '=HYPERLINK("http://x")'], ['008']])
  const reply = await ada.request('GET', url.replace('data_copy', 'export_csv'))
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-disposition']).toMatch(/sync_task_\d+_data_copy\.csv/)
  expect(reply.body).toBe('\ufeffSKU,Note\r\n007,"\'=HYPERLINK(""http://x"")"\r\n008,\r\n')
  const { id } = await aSyncTask(app.db)
  expect((await ada.request('GET', `/api/sync_tasks/${id}/export_csv`)).statusCode).toBe(404)
})

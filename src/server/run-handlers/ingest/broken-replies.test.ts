import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, OriginServer } from '../../../../test/fakes/origin-server.ts'
import { aConnection } from '../../../../test/fixtures/connections.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'

const world = copyWorld()
let origin: OriginServer

beforeAll(async () => {
  origin = await OriginServer.start()
})
afterAll(() => origin.close())

async function apiTask(path: string, fields: object = {}) {
  const connection_id = await aConnection(world.db, `Shop_${path.slice(1)}`, {
    kind: 'api',
    url: origin.root + path,
    ...fields,
  })
  return world.sourceTask({ source_type: 'api', connection_id })
}

async function rowsOf(task_id: number) {
  const rows = await world.db
    .selectFrom('tasks')
    .innerJoin('snapshot_rows as r', 'r.snapshot_id', 'tasks.snapshot_id')
    .select('cells')
    .where('tasks.id', '=', task_id)
    .orderBy('row_no')
    .execute()
  return rows.map(({ cells }) => cells)
}

const ROWS = Array.from({ length: 10 }, (_, index) => ({ SKU: `S${index}`, price: index }))
const STORED = ROWS.map(({ SKU, price }) => [SKU, price])
const BY_PAGE = {
  list_path: '$.data',
  paging: { style: 'page' as const, param: 'page', size_param: '', size: 2 },
}

test.each<[string, unknown, string]>([
  ['code', { code: 500, message: 'Backend is away' }, 'Backend is away'],
  ['null', { data: null, error: 'Quota is used up' }, 'Quota is used up'],
  ['errors', { data: [], errors: [{ message: 'Shard 3 is away' }] }, 'Shard 3 is away'],
  ['success', { success: false, data: [], message: 'Try later' }, 'Try later'],
  ['status', { status: 'error', data: [], message: 'Maintenance' }, 'Maintenance'],
])(
  'an error body (%s) in place of page 4 fails the run, quotes the API and keeps the last good rows',
  async (name, body, detail) => {
    let broken = 0
    origin.on(`/${name}`, ({ url }) => {
      const page = Number(url.searchParams.get('page'))
      return { body: page === broken ? body : { data: ROWS.slice(page * 2 - 2, page * 2) } }
    })
    const task = await apiTask(`/${name}`, BY_PAGE)
    expect(await world.ingest(task)).toMatchObject({ state: 'success', receipt: { rows: 10 } })
    for (broken of [4, 1]) {
      const run = await world.ingest(task)
      expect(run.state).toBe('failed')
      expect(run.message).toContain(`Page ${broken}: The API reported an error: “${detail}”.`)
      expect(await rowsOf(task)).toEqual(STORED)
    }
  },
)

test('an error body instead of the cursor’s next page, too', async () => {
  let isBroken = false
  origin.on('/cursor', ({ url }): Answer => {
    const at = Number(url.searchParams.get('c') ?? 0)
    if (isBroken && at === 6) return { body: { items: null, error: 'cursor lost' } }
    return { body: { items: ROWS.slice(at, at + 2), next: at < 8 ? at + 2 : null } }
  })
  const task = await apiTask('/cursor', {
    list_path: '$.items',
    paging: { style: 'cursor', param: 'c', cursor_path: '$.next' },
  })
  expect(await world.ingest(task)).toMatchObject({ state: 'success', receipt: { rows: 10 } })
  isBroken = true
  expect(await world.ingest(task)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('Page 4: The API reported an error: “cursor lost”.'),
  })
  expect(await rowsOf(task)).toEqual(STORED)
})

test('a CSV file whose connection is reset at 80 % fails the run and keeps the last good rows', async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `S${index},${index}\n`)
  let isBroken = false
  origin.on('/file', ({ response }) => {
    const { socket } = response
    const body = `SKU,price\n${lines.slice(0, isBroken ? 800 : 1000).join('')}`
    socket?.write(`HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nConnection: close\r\n\r\n${body}`, () => {
      if (isBroken) setTimeout(() => socket.resetAndDestroy(), 50)
      else socket.end()
    })
    return null
  })
  const task = await apiTask('/file', { format: 'csv' })
  expect(await world.ingest(task)).toMatchObject({ state: 'success', receipt: { rows: 1000 } })
  isBroken = true
  expect(await world.ingest(task)).toMatchObject({ state: 'failed' })
  expect(await rowsOf(task)).toHaveLength(1000)
})

test('a file without a length that ends within a row needs approval', async () => {
  let rows = 'A,1\nB,20\n'
  origin.on('/cut', ({ response }) => {
    const { socket } = response
    socket?.end(`HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nConnection: close\r\n\r\nSKU,price\n${rows}`)
    return null
  })
  const task = await apiTask('/cut', { format: 'csv' })
  await world.ingest(task)
  rows = 'A,1\nB,2'
  expect(await world.ingest(task)).toMatchObject({
    state: 'warning',
    warnings: [expect.stringContaining('it may have been cut within that row')],
  })
  expect(await rowsOf(task)).toEqual([
    ['A', '1'],
    ['B', '20'],
  ])
})

test('a list that changes while it is read is read again', async () => {
  let readings = 0
  let isRestless = false
  origin.on('/moving', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    if (page === 1) readings += 1
    // A row of the first page is deleted after that page was read, so the row that moves up is on no page.
    const isDeleted = page > 1 || (readings > 1 && !isRestless)
    const list = isDeleted ? ROWS.slice(1) : ROWS
    return { body: { data: list.slice(page * 2 - 2, page * 2), total: list.length } }
  })
  const task = await apiTask('/moving', { ...BY_PAGE, total_path: '$.total' })
  const run = await world.ingest(task)
  expect(run).toMatchObject({ state: 'success', receipt: { rows: 9 }, warnings: [] })
  expect(run.log).toContain(
    'INFO The list changed while it was read: the API counted 10 rows, then 9. It is read again.',
  )
  expect(await rowsOf(task)).toEqual(STORED.slice(1))
  readings = 0
  isRestless = true
  expect(await world.ingest(task)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('The list changed while it was read: the API counted 10 rows, then 9.'),
  })
  // Three reads in each of three attempts.
  expect(readings).toBe(9)
  expect(await rowsOf(task)).toEqual(STORED.slice(1))
})

test('a list whose first page always changes is read twice and becomes current with a warning', async () => {
  let clock = 0
  origin.on('/live', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    clock += 1
    const data = ROWS.slice(page * 2 - 2, page * 2).map((row) => ({ ...row, price: clock }))
    return { body: { data }, headers: { etag: `"${clock}"` } }
  })
  const task = await apiTask('/live', BY_PAGE)
  expect(await world.ingest(task)).toMatchObject({
    state: 'warning',
    receipt: { rows: 10, is_changed: true },
    warnings: ['The list changed while it was read: its first page has other rows now.'],
  })
})

test.each([
  ['NUL', 'pri\0ce'],
  ['half a character', 'pri\ud800ce'],
])('%s in a column name is replaced with a warning', async (_name, column) => {
  origin.on('/names', () => ({ body: JSON.stringify([{ SKU: 'A', [column]: 1 }]) }))
  origin.on('/names-csv', () => ({ body: `SKU,${column.replace('\ud800', '\0')}\nA,1\n` }))
  for (const format of ['json', 'csv']) {
    await world.db.deleteFrom('source_tasks').execute()
    await world.db.deleteFrom('connections').execute()
    const task = await apiTask(format === 'json' ? '/names' : '/names-csv', { format })
    expect(await world.ingest(task)).toMatchObject({
      state: 'warning',
      warnings: [
        'Names of columns have characters that cannot be stored, each of which became \ufffd: ‘pri\ufffdce’.',
      ],
    })
    const { columns } = await world.db
      .selectFrom('tasks')
      .innerJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
      .select('columns')
      .where('tasks.id', '=', task)
      .executeTakeFirstOrThrow()
    expect(columns).toEqual(['SKU', 'pri\ufffdce'])
  }
})

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { aConnection } from '../../../../test/fixtures/connections.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { logOf } from '../../../../test/fixtures/engine.ts'
import { listenForEvents, type Notice } from '../../platform/notify.ts'

const CANARY = 'canary-51d0e8aa'
const world = copyWorld()
let origin: OriginServer

beforeAll(async () => {
  origin = await OriginServer.start()
})
afterAll(() => origin.close())

/** A source task with a connection that sends a secret header. */
async function apiTask(path: string, fields: object = {}) {
  const connection_id = await aConnection(world.db, `Shop_${path.slice(1)}`, {
    kind: 'api',
    url: origin.root + path,
    headers: [{ name: 'X-Key', is_secret: true, value: CANARY }],
    ...fields,
  })
  return { connection_id, task: await world.sourceTask({ source_type: 'api', connection_id }) }
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

test('an API is read page by page with the secrets of its connection, which appear nowhere', async () => {
  const keys: unknown[] = []
  origin.on('/items', ({ url, headers }) => {
    keys.push(headers['x-key'])
    const page = Number(url.searchParams.get('page'))
    return {
      body:
        page > 3
          ? []
          : [
              { SKU: `A${page}`, price: page },
              { SKU: `B${page}`, price: page, note: 'x' },
            ],
    }
  })
  const { task } = await apiTask('/items', {
    paging: { style: 'page', param: 'page', size_param: '', size: 2 },
  })
  const run = await world.ingest(task)
  expect(run).toMatchObject({ state: 'success', receipt: { rows: 6, columns: 3, account: '' } })
  expect(await rowsOf(task)).toEqual(
    [1, 2, 3].flatMap((page) => [
      [`A${page}`, page],
      [`B${page}`, page, 'x'],
    ]),
  )
  expect(new Set(keys)).toEqual(new Set([CANARY]))
  for (const table of [
    'runs',
    'log_entries',
    'snapshots',
    'snapshot_rows',
    'source_tasks',
    'connections',
  ] as const)
    expect(JSON.stringify(await world.db.selectFrom(table).selectAll().execute())).not.toContain(CANARY)
})

test('when an ingest ends, the lists are notified that the task has new rows', async () => {
  origin.on('/news', () => ({ body: [{ SKU: 'A' }] }))
  const { task } = await apiTask('/news')
  const notices: Notice[] = []
  // The engine has this line open already.
  const listener = listenForEvents(world.databaseUrl, (notice) => notices.push(notice))
  onTestFinished(() => listener.close())
  await world.ingest(task)
  await expect.poll(() => notices).toContainEqual({ kind: 'tasks', task_ids: [task] })
})

test('a refusal by the API fails at once, without showing the secret', async () => {
  origin.on('/refuses', ({ headers }) => ({
    status: 401,
    body: { message: `no such key: ${headers['x-key']}` },
  }))
  const { task } = await apiTask('/refuses')
  const run = await world.ingest(task)
  expect(run).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/^The API refused the request \(401/),
  })
  expect(JSON.stringify(run)).not.toContain(CANARY)
})

test('an unchanged API answers 304 and nothing is read; changed settings read everything again', async () => {
  const asked: unknown[] = []
  origin.on('/tagged', ({ headers }) => {
    asked.push(headers['if-none-match'])
    if (headers['if-none-match'] === '"v1"') return { status: 304 }
    return { headers: { etag: '"v1"' }, body: [{ SKU: 'A' }] }
  })
  const { task, connection_id } = await apiTask('/tagged')
  await world.ingest(task)
  for (const _ of [1, 2])
    expect((await world.ingest(task)).receipt).toMatchObject({ is_changed: false, rows: 1, requests: 1 })
  await world.db
    .updateTable('connections')
    .set({ updated_at: new Date() })
    .where('id', '=', connection_id)
    .execute()
  expect((await world.ingest(task)).receipt).toMatchObject({ is_changed: false, rows: 1 })
  expect(asked).toEqual([undefined, '"v1"', '"v1"', undefined])
})

test('a run logs how a CSV file was read; misplaced quotes or rows of other lengths are a warning, not an error', async () => {
  origin.on('/file', () => ({
    body: Buffer.from('Größe, cm, innen;Name\r\r\n1;"M8" Schraube\r\r\n2;Mutter;x\r\r\n', 'latin1'),
    headers: { 'content-type': 'text/csv' },
  }))
  const { task } = await apiTask('/file', { format: 'csv', encoding: 'windows-1252' })
  const run = await world.ingest(task)
  expect(run).toMatchObject({ state: 'warning', receipt: { rows: 2, columns: 3 } })
  expect(await rowsOf(task)).toEqual([
    ['1', '"M8" Schraube'],
    ['2', 'Mutter', 'x'],
  ])
  const lines = await world.db
    .selectFrom('log_entries')
    .select(['level', 'message'])
    .where('run_id', '=', run.id)
    .execute()
  expect(lines).toContainEqual({
    level: 'INFO',
    message: 'Read as CSV: delimiter semicolon, encoding windows-1252, quote ".',
  })
  expect(lines.filter(({ level }) => level === 'WARNING').map(({ message }) => message)).toEqual([
    '1 row has more or fewer cells than the header, first data row 2.',
    '1 row has a quote inside a cell that is not quoted, which was read as text, first data row 1.',
  ])
})

test('a host removed from the list gets no more requests', async () => {
  origin.on('/listed', () => ({ body: [{ SKU: 'A' }] }))
  const { task } = await apiTask('/listed')
  await world.db.deleteFrom('allowed_hosts').execute()
  const run = await world.ingest(task)
  await world.db
    .insertInto('allowed_hosts')
    .values({ host: '127.0.0.1', added_by: 'ada@example.com' })
    .execute()
  expect(run).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/not on the list of allowed hosts/),
  })
  expect(origin.asked.filter(({ url }) => url.pathname === '/listed')).toEqual([])
})

test('the stored rows of another task are read, and again only after a change', async () => {
  const spreadsheet_id = await world.spreadsheet({
    Products: [
      ['SKU', 'Name'],
      ['1', 'A'],
    ],
  })
  const first = await world.sourceTask({ spreadsheet_id })
  const second = await world.sourceTask({ source_type: 'internal', origin_task_id: first })
  expect(await world.ingest(second)).toMatchObject({ state: 'failed' })
  await world.ingest(first)
  expect(await world.ingest(second)).toMatchObject({
    state: 'success',
    receipt: { rows: 1, is_changed: true },
  })
  expect((await world.ingest(second)).receipt).toMatchObject({ is_changed: false })
  const { name } = await world.db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  expect(await logOf(world.db, second)).toEqual(
    expect.arrayContaining([`INFO Reading ‘${name}’.`, `INFO ‘${name}’ has 1 row x 2 columns.`]),
  )
  await world.write(spreadsheet_id, 'Products!A2', [['2', 'B']])
  await world.ingest(first)
  await world.ingest(second)
  expect(await rowsOf(second)).toEqual([['2', 'B']])
})

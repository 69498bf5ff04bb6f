import { afterAll, beforeAll, expect, test } from 'vitest'
import { aConnection } from '../../../../test/connections.ts'
import { copyWorld } from '../../../../test/copy-world.ts'
import { type Answer, OriginServer } from '../../../../test/origin-server.ts'

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
    expect(await world.pull(task)).toMatchObject({ state: 'success', receipt: { rows: 10 } })
    for (broken of [4, 1]) {
      const run = await world.pull(task)
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
  expect(await world.pull(task)).toMatchObject({ state: 'success', receipt: { rows: 10 } })
  isBroken = true
  expect(await world.pull(task)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('Page 4: The API reported an error: “cursor lost”.'),
  })
  expect(await rowsOf(task)).toEqual(STORED)
})

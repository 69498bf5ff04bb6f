import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { lockWaits, type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { aCopy, aSyncTask } from '../../../test/fixtures/factories.ts'
import { prune } from '../engine/prune.ts'
import { readDataColumns, readDataPage } from '../tasks/run/stored-rows.ts'
import { pinSnapshot } from './pin.ts'
import { snapshotRows } from './snapshot.ts'

const ROWS = 2_500

let database: TestDatabase
let task = { category: 'sync' as const, id: 0 }

beforeEach(async () => {
  database = await testDatabase()
  task = { category: 'sync', id: (await aSyncTask(database.db)).id }
})

/** Stores a version as a finished run does. Its rows name the version; nothing refers to the version before any more. */
async function newVersion(name: string, rows = ROWS): Promise<number> {
  const { id } = await aCopy(
    database.db,
    task.id,
    ['Version', 'Number'],
    Array.from({ length: rows }, (_, n) => [name, n]),
  )
  // Snapshots that have just been begun are never pruned.
  await sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'
    where id = ${id}`.execute(database.db)
  return id
}

const page = (query: { offset: number; version?: number; sort?: string }) =>
  readDataPage(database.db, task, { limit: 500, order: 'asc', ...query }, new AbortController().signal)

const versions = async () =>
  (await database.db.selectFrom('snapshots').select('id').orderBy('id').execute()).map(({ id }) => id)

/** Lets time pass for all snapshots and pins. */
const later = (minutes: number) =>
  sql`update snapshots set pinned_until = pinned_until - make_interval(mins => ${minutes})`.execute(
    database.db,
  )

test('paging continues in the version of the first page, although a run has ended and other versions were pruned', async () => {
  const first = await newVersion('old')
  expect((await page({ offset: 0 })).version).toBe(first)
  const second = await newVersion('new')
  await prune(database.db, 90)

  expect(await page({ offset: 2_000, version: first })).toMatchObject({
    version: first,
    data: { length: 500, 0: { Version: 'old', Number: 2_000 } },
  })
  expect(await page({ offset: 0, sort: 'Number', version: first })).toMatchObject({
    data: { length: 500, 499: { Version: 'old', Number: 499 } },
  })
  expect(await page({ offset: 0 })).toMatchObject({ version: second, data: { 0: { Version: 'new' } } })
})

test('reading the columns pins their version, too, for the pages that follow', async () => {
  const first = await newVersion('old')
  expect(await readDataColumns(database.db, task)).toMatchObject({ version: first })
  await newVersion('new')
  await prune(database.db, 90)
  expect(await page({ offset: 500, version: first })).toMatchObject({ version: first, data: { length: 500 } })
})

test('a version is kept for as long as pages of it are read, and ten minutes more', async () => {
  const first = await newVersion('old')
  await page({ offset: 0 })
  const second = await newVersion('new')
  for (const offset of [0, 500, 1_000]) {
    await later(9)
    await prune(database.db, 90)
    expect(await page({ offset, version: first })).toMatchObject({ data: { length: 500 } })
  }
  await later(11)
  await prune(database.db, 90)
  expect(await versions()).toEqual([second])
  await expect(page({ offset: 0, version: first })).rejects.toMatchObject({ code: 'version_gone' })
})

test('the pins of a dead reader expire', async () => {
  const first = await newVersion('old')
  const rows = snapshotRows(database.db, first, 1, ROWS + 1)
  await rows.next()
  const second = await newVersion('new')
  // The reader never continues.
  await prune(database.db, 90)
  expect(await versions()).toEqual([first, second])
  await later(11)
  await prune(database.db, 90)
  expect(await versions()).toEqual([second])
  const left = await database.db.selectFrom('snapshot_rows').select('snapshot_id').distinct().execute()
  expect(left).toEqual([{ snapshot_id: second }])
})

test('a slow export gets every row of its version, however often rows are replaced and pruned', async () => {
  const first = await newVersion('old')
  const seen: unknown[] = []
  for await (const rows of snapshotRows(database.db, first, 1, ROWS + 1)) {
    seen.push(...rows)
    await newVersion('new', 10)
    await later(9)
    await prune(database.db, 90)
  }
  expect(seen).toEqual(Array.from({ length: ROWS }, (_, n) => ['old', n]))
})

test('an export whose rows were deleted is aborted, and never ends as if it were complete', async () => {
  const first = await newVersion('old')
  const rows = snapshotRows(database.db, first, 1, ROWS + 1)
  await rows.next()
  await newVersion('new')
  await later(11)
  await prune(database.db, 90)
  await expect(rows.next()).rejects.toThrow('gone')
})

test('of two readers the active one keeps the rows, whichever started first', async () => {
  const first = await newVersion('old')
  const [one, other] = [0, 1].map(() => snapshotRows(database.db, first, 1, ROWS + 1))
  await Promise.all([one?.next(), other?.next()])
  await newVersion('new')
  for (let time = 0; time < 2; time += 1) {
    await later(9)
    await other?.next()
    await prune(database.db, 90)
  }
  expect((await other?.next())?.done).toBe(true)
  expect((await one?.next())?.value).toHaveLength(1_000)
})

test('a reader that starts while rows are being pruned waits and gets an error that they were deleted', async () => {
  const first = await newVersion('old')
  await newVersion('new')
  const pruning = await database.db.startTransaction().execute()
  await prune(pruning, 90)
  const pinned = pinSnapshot(database.db, first)
  await expect.poll(() => lockWaits(database.db)).toBe(1)
  await pruning.commit().execute()
  expect(await pinned).toBe(false)
})

test('pruning during a pin keeps the rows', async () => {
  const first = await newVersion('old')
  await newVersion('new')
  const reading = await database.db.startTransaction().execute()
  expect(await pinSnapshot(reading, first)).toBe(true)
  // It neither waits for the reader nor sees the uncommitted pin.
  await prune(database.db, 90)
  await reading.commit().execute()
  expect(await pinSnapshot(database.db, first)).toBe(true)
  expect(await versions()).toContain(first)
})

test('with many readers and several pruners, every reader with a pin reads its rows', async () => {
  for (let round = 0; round < 10; round += 1) {
    const first = await newVersion('old', 20)
    await newVersion('new', 20)
    const read = async () => {
      const reply = await page({ offset: 0, version: first }).catch((error: unknown) => error)
      if (reply instanceof Error) return expect(reply).toMatchObject({ code: 'version_gone' })
      expect(reply).toMatchObject({ version: first, data: { length: 20 } })
    }
    const prunes = () => prune(database.db, 90)
    await Promise.all([read(), prunes(), read(), prunes(), read(), read()])
  }
})

test("a page of another task's version is refused", async () => {
  await newVersion('mine')
  const other = await aSyncTask(database.db)
  const { id } = await aCopy(database.db, other.id, ['Secret'], [['theirs']])
  await expect(page({ offset: 0, version: id })).rejects.toMatchObject({ code: 'version_gone' })
  await expect(page({ offset: 0, version: 2_147_483_647 })).rejects.toMatchObject({ code: 'version_gone' })
})

test('pages of one version write nothing but the first one’s pin', async () => {
  const first = await newVersion('old')
  await page({ offset: 0 })
  const pinned = () =>
    sql`select xmin::text, pinned_until from snapshots where id = ${first}`.execute(database.db)
  const { rows } = await pinned()
  for (const offset of [500, 1_000, 1_500]) await page({ offset, version: first })
  expect((await pinned()).rows).toEqual(rows)
})

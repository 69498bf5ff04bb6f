import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DatabaseSettings } from '../../src/contract/connections/calls.ts'
import { OriginServer } from '../fakes/origin-server.ts'
import { aConnection } from '../fixtures/connections.ts'
import { copyWorld, until } from '../fixtures/copy-world.ts'
import { testDatabase } from '../fixtures/database.ts'
import { databaseSettings, settingsOf } from '../fixtures/database-origins.ts'
import { testFolder } from '../fixtures/folders.ts'
import { endOfIngest } from '../fixtures/ingest-end.ts'
import { hasMariaDb, startMariaDb } from '../processes/mariadb.ts'

const RECOVERED_MS = 30_000
const PAGES = 6
// More than one batch of the writer, so that a checkpoint follows every page except the last one or two.
const ROWS = 500
const world = copyWorld({ worker: false })
let origin: OriginServer

beforeAll(async () => {
  origin = await OriginServer.start()
})
afterAll(() => origin.close())

const page = (number: number) =>
  Array.from({ length: ROWS }, (_, index) => ({ SKU: `${number}-${index}`, text: 'x'.repeat(2_500) }))
const everyRow = Array.from({ length: PAGES }, (_, number) => page(number + 1).map(({ SKU }) => SKU)).flat()

/** A task that reads an API which does not answer request number `stuck` the first time. */
async function stuckTask(name: string, stuck: number) {
  const path = `/${name}`
  let reached = false
  const pages: number[] = []
  origin.on(path, ({ url }) => {
    const number = Number(url.searchParams.get('page'))
    pages.push(number)
    if (pages.length === stuck) {
      reached = true
      return null
    }
    return { body: number > PAGES ? [] : page(number) }
  })
  const connection_id = await aConnection(world.db, name, {
    kind: 'api',
    url: origin.root + path,
    paging: { style: 'page', param: 'page', size: ROWS },
  })
  const task = await world.sourceTask({ source_type: 'api', connection_id })
  return { task, pages, isReached: () => reached }
}

async function skusOf(task_id: number) {
  const rows = await world.db
    .selectFrom('tasks')
    .innerJoin('snapshot_rows as r', 'r.snapshot_id', 'tasks.snapshot_id')
    .select(['row_no', 'cells'])
    .where('tasks.id', '=', task_id)
    .orderBy('row_no')
    .execute()
  expect(rows.map(({ row_no }) => row_no)).toEqual(rows.map((_, index) => index + 1))
  return rows.map(({ cells }) => cells[0])
}

test('if a worker is killed at any request of an API, the run resumes within 30 s at its page, with every row once', async () => {
  // The last request returns no items.
  const tasks = await Promise.all(
    Array.from({ length: PAGES + 1 }, (_, index) => stuckTask(`Items-${index + 1}`, index + 1)),
  )
  const first = await world.workerProcess()
  for (const { task } of tasks) await world.start(task)
  await until(() => tasks.every(({ isReached }) => isReached()))
  await first.end('SIGKILL')
  const killed = performance.now()
  const second = await world.workerProcess()
  const runs = await Promise.all(tasks.map(({ task }) => endOfIngest(world.db, task)))
  const recovered = performance.now() - killed
  console.log(`all over ${(recovered / 1000).toFixed(1)} s after the kill`)
  expect(recovered).toBeLessThan(RECOVERED_MS)
  for (const [index, { task, pages }] of tasks.entries()) {
    expect(runs[index]).toMatchObject({ state: 'success', receipt: { rows: everyRow.length } })
    expect(await skusOf(task)).toEqual(everyRow)
    const again = pages.slice(index + 1)
    // Up to two pages may be uncommitted: one being stored, one waiting for its checkpoint.
    expect(again[0]).toBeGreaterThanOrEqual(Math.max(1, index - 1))
  }
  expect(new Set(runs.map(({ receipt }) => receipt?.hash)).size).toBe(1)
  await second.end()
})

test('a frozen worker that continues after another one has finished its run changes nothing', async () => {
  const { task, isReached } = await stuckTask('Frozen', PAGES - 1)
  const frozen = await world.workerProcess()
  await world.start(task)
  await until(isReached)
  frozen.kill('SIGSTOP')
  const other = await world.workerProcess()
  expect(await endOfIngest(world.db, task)).toMatchObject({ state: 'success' })
  frozen.kill('SIGCONT')
  // Time for any request that the resumed worker would still send.
  await delay(8_000)
  expect(await skusOf(task)).toEqual(everyRow)
  await frozen.end('SIGKILL')
  await other.end()
})

describe('if a worker is killed while reading a database, the run starts over within 30 s, with every row once', () => {
  const rows = 20_000
  /** A statement that returns `rows` rows and pauses after every thousand. */
  const slow = (pause: string, from: string) =>
    `select concat('SKU-', i) as "SKU", text, case when i % 1000 = 0 then ${pause} end as pause from ${from}`

  async function survives(name: string, settings: DatabaseSettings): Promise<void> {
    const connection_id = await aConnection(world.db, name, { kind: 'database', ...settings })
    const task = await world.sourceTask({ source_type: 'database', connection_id })
    const first = await world.workerProcess()
    await world.start(task)
    await until(async () => (await world.progress(task)).rows_done >= rows / 4)
    await first.end('SIGKILL')
    const killed = performance.now()
    const second = await world.workerProcess()
    expect(await endOfIngest(world.db, task)).toMatchObject({ state: 'success', receipt: { rows } })
    const recovered = performance.now() - killed
    console.log(`${name}: over ${(recovered / 1000).toFixed(1)} s after the kill`)
    expect(recovered).toBeLessThan(RECOVERED_MS)
    expect(await skusOf(task)).toEqual(Array.from({ length: rows }, (_, index) => `SKU-${index + 1}`))
    await second.end()
  }

  test('PostgreSQL', async () => {
    const shop = await testDatabase()
    const from = `(select i, repeat('x', 500) as text from generate_series(1, ${rows}) i) items`
    await survives('PostgreSQL', settingsOf(shop.url, slow('pg_sleep(0.3)::text', from)))
  })

  test.runIf(hasMariaDb)('MariaDB', async () => {
    const { port, stop } = await startMariaDb()
    onTestFinished(stop)
    const from = `(select seq as i, repeat('x', 500) as text from seq_1_to_${rows}) items`
    const statement = slow('sleep(0.3)', from).replaceAll('"', '`')
    const login = { database: 'shop', user: 'reader', password: 'secret' }
    await survives('MariaDB', databaseSettings({ engine: 'mysql', port, ...login, statement }))
  })

  test('SQLite, whose process ends with the worker', async () => {
    const folder = await testFolder()
    vi.stubEnv('SQLITE_FOLDER', folder)
    const file = new DatabaseSync(join(folder, 'shop.db'))
    file.exec(`create table items as with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      select i, printf('%.500c', 'x') as text from n`)
    file.close()
    // SQLite cannot sleep, so it counts for each of these rows.
    const pause =
      '(with recursive n(c) as (select i union all select c + 1 from n where c < i + 700000) select max(c) from n)'
    const settings = databaseSettings({
      engine: 'sqlite',
      file: 'shop.db',
      statement: slow(pause, 'items'),
    })
    await survives('SQLite', settings)
    await until(() => !processes().some((command) => command.includes(folder)))
  })
})

/** Command lines of all processes. */
const processes = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })

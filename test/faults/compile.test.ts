import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { compiler } from '../../src/contract/compiler/calls.ts'
import { compilerRecords } from '../../src/contract/compiler/records.ts'
import { prune } from '../../src/server/engine/prune.ts'
import type { Db } from '../../src/server/platform/db.ts'
import { freePort } from '../../src/server/platform/free-port.ts'
import { aMerge } from '../fixtures/compiling.ts'
import { runOf } from '../fixtures/engine.ts'
import { aSourceTask } from '../fixtures/factories.ts'
import { type Send, signIn } from '../fixtures/person.ts'
import { Fleet, type Member } from '../processes/fleet.ts'
import { OwnServer } from '../processes/own-server.ts'
import { until } from '../processes/processes.ts'

const SOURCES = 3
// More than one batch, and more than the compile keeps in memory.
const RECORDS = 60_000

/** Stores rows for a source task; their values contain the round. */
async function store(db: Db, task_id: number, round: string): Promise<void> {
  await sql`
    with version as (
      insert into snapshots (task_id, kind, columns, header, row_count, completed_at)
      values (${task_id}, 'source', '["SKU","Round"]', '["SKU","Round"]', ${RECORDS}, now()) returning id
    ), stored as (
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select id, n, jsonb_build_array('SKU-' || n, ${round}::text) from version, generate_series(1, ${RECORDS}::int) n
    )
    update tasks set snapshot_id = version.id from version where tasks.id = ${task_id}`.execute(db)
}

async function aWorld() {
  const server = await OwnServer.start()
  onTestFinished(server.close)
  const fleet = await Fleet.open({}, { own: server })
  onTestFinished(fleet.close)
  const { db } = server
  await stopBetweenBatches(db)
  await fleet.start('api,scheduler')
  const { send } = await fleet.people()
  const sources = await Promise.all(Array.from({ length: SOURCES }, async () => (await aSourceTask(db)).id))
  const config = await aMerge(db, sources)
  const refill = async (round: string) => {
    for (const source of sources) await store(db, source, round)
  }
  const compile = () =>
    send(compiler.compile.method, compiler.compile.path, compiler.compile.reply, { config_id: config.id })
  return { server, fleet, db, send, config, refill, compile }
}

/** The round of a configuration's records. Fails if they are incomplete or mix rounds. */
async function roundOf(send: Send, config_id: number): Promise<unknown> {
  const { method, path, reply } = compilerRecords.data
  const page = (offset: number) =>
    send(method, `${path}?compiler_config_id=${config_id}&limit=200&offset=${offset}`, reply)
  const pages = await Promise.all([0, RECORDS / 2, RECORDS - 200].map(page))
  expect(pages.map(({ total_count, data }) => [total_count, data.length])).toEqual(
    pages.map(() => [RECORDS, 200]),
  )
  const rounds = new Set(pages.flatMap(({ data }) => data.map(({ Round }) => Round)))
  // null: a compile may have ended between two pages.
  return rounds.size === 1 ? [...rounds][0] : null
}

async function holds(db: Db, condition: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(db)
  return rows[0]?.holds ?? false
}

const waitsFor = (table: string) => sql<boolean>`exists (
  select from pg_locks where relation = ${table}::regclass and not granted)`

// Advisory lock of this test, which runs acquire only in the trigger below.
const SECOND_BATCH = 7
const holdSecondBatch = sql`select pg_advisory_xact_lock(${SECOND_BATCH})`
const waitsForSecondBatch = sql<boolean>`exists (
  select from pg_locks where locktype = 'advisory' and objid = ${SECOND_BATCH} and not granted)`

/**
 * Blocks a worker that stores further records of a version while the test holds the lock. The trigger acquires it in shared mode:
 * a worker that is frozen in its COPY keeps the lock, and another worker must not wait for it.
 */
async function stopBetweenBatches(db: Db): Promise<void> {
  await sql`
    create function wait_between_batches() returns trigger language plpgsql as $$
    begin
      if exists (select from compiled_blocks where snapshot_id = (select max(id) from snapshots)) then
        perform pg_advisory_xact_lock_shared(${sql.lit(SECOND_BATCH)});
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger wait_between_batches before insert on compiled_blocks
    for each statement execute function wait_between_batches()`.execute(db)
}

type Moment = { name: string; hold: RawBuilder<unknown>; reached: RawBuilder<boolean> }

// Statements on the table wait for the test's lock, so the worker stays at this step until it is killed.
const beginsToMerge: Moment = {
  name: 'it begins to merge',
  hold: sql`lock table compiled_blocks in share mode`,
  reached: waitsFor('compiled_blocks'),
}
const hasStoredAPart: Moment = {
  name: 'it has stored a part',
  hold: holdSecondBatch,
  reached: waitsForSecondBatch,
}
const moments: Moment[] = [
  {
    name: 'it reads its sources',
    hold: sql`lock table snapshot_rows in access exclusive mode`,
    reached: waitsFor('snapshot_rows'),
  },
  beginsToMerge,
  hasStoredAPart,
  {
    name: 'all that is missing is the version',
    hold: sql`lock table compiled_versions in share mode`,
    reached: waitsFor('compiled_versions'),
  },
]

test.each(['worker', 'database', 'worker and the database'])(
  'SIGKILL of the %s at each step of a compile: the old records stay readable and complete until the new ones are current',
  async (victim) => {
    const { server, fleet, db, send, config, refill, compile } = await aWorld()
    let worker: Member = await fleet.start('worker')
    await refill('before')
    await compile()
    let round = 'before'
    for (const { name, hold, reached } of moments) {
      await refill(name)
      const holding = await db.startTransaction().execute()
      await hold.execute(holding)
      const asked = compile().catch(() => null)
      await until(name, () => holds(db, reached))
      expect(await roundOf(send, config.id), name).toBe(round)
      if (victim.includes('worker')) await worker.end('SIGKILL')
      if (victim.includes('database')) await server.crash()
      await holding
        .rollback()
        .execute()
        .catch(() => null)
      if (victim.includes('worker')) worker = await fleet.start('worker')
      await asked
      // Every read during the compile returns one complete round.
      await until(`the run is over although the ${victim} was killed when ${name}`, async () => {
        const seen = await roundOf(send, config.id).catch((error: unknown) => {
          if (String(error).includes(' 503 ')) return null
          throw error
        })
        expect([round, name, null], name).toContain(seen)
        return seen === name
      })
      const run = await runOf(db, config.task_id)
      expect([run.state, run.error], name).toEqual(['success', null])
      expect(run.receipt, name).toMatchObject({ records: RECORDS, changed: RECORDS, added: 0, gone: 0 })
      round = name
    }
    await worker.end()
  },
)

test.each(['worker', 'database'])(
  'SIGKILL of the %s during an unchanged compile that shares existing rows: they stay complete and outlive their first version',
  async (victim) => {
    const { server, fleet, db, send, config, refill, compile } = await aWorld()
    let worker = await fleet.start('worker')
    await refill('only')
    await compile()
    const [first] = await db
      .selectFrom('tasks')
      .select('snapshot_id')
      .where('id', '=', config.task_id)
      .execute()
    const holding = await db.startTransaction().execute()
    await sql`lock table compiled_versions in share mode`.execute(holding)
    const asked = compile().catch(() => null)
    await until('it has begun its version', () => holds(db, waitsFor('compiled_versions')))
    expect(await roundOf(send, config.id)).toBe('only')
    if (victim === 'worker') await worker.end('SIGKILL')
    else await server.crash()
    await holding
      .rollback()
      .execute()
      .catch(() => null)
    if (victim === 'worker') worker = await fleet.start('worker')
    await asked
    const over = sql<boolean>`(select state = 'success' from runs where task_id = ${config.task_id} order by id desc limit 1)`
    await until('the run is over', () => holds(db, over).catch(() => false))
    expect((await runOf(db, config.task_id)).receipt).toMatchObject({ records: RECORDS, changed: 0, gone: 0 })
    const current = await db
      .selectFrom('tasks')
      .innerJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
      .select('rows_of')
      .where('tasks.id', '=', config.task_id)
      .executeTakeFirst()
    expect(current).toEqual({ rows_of: first?.snapshot_id })
    // Rows of the killed attempt are deleted, and so is the unused first version. Rows that other versions share stay.
    await db.updateTable('tasks').set({ before_snapshot_id: null }).where('id', '=', config.task_id).execute()
    await sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'`.execute(
      db,
    )
    await prune(db, 90)
    const left = await db.selectFrom('snapshots').select('id').where('kind', '=', 'compiled').execute()
    expect(left).toHaveLength(1)
    expect(await roundOf(send, config.id)).toBe('only')
    await worker.end()
  },
)

test('with many callers at two addresses and two workers, a configuration has one compile at a time, and all callers get its result', async () => {
  const { fleet, db, config, refill, compile } = await aWorld()
  const second = await fleet.start('api', await freePort())
  const { send } = await signIn(second.root, 'ada@example.com')
  const { method, path, reply } = compiler.compile
  const compileThere = () => send(method, path, reply, { config_id: config.id })
  const workers = [await fleet.start('worker'), await fleet.start('worker')]
  await refill('first')
  const holding = await db.startTransaction().execute()
  await sql`lock table compiled_blocks in share mode`.execute(holding)
  const asked = Array.from({ length: 8 }, () => [compile(), compileThere()]).flat()
  await until('it is at work', () => holds(db, waitsFor('compiled_blocks')))
  await holding.rollback().execute()
  const ids = new Set((await Promise.all(asked)).map(({ run_id }) => run_id))
  // A caller that requests a compile after the end of the previous one starts another.
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'started_at', 'finished_at', 'state'])
    .orderBy('id')
    .execute()
  expect(new Set(runs.map(({ id }) => id))).toEqual(ids)
  for (const [n, run] of runs.entries()) {
    expect(run.state).toBe('success')
    const earlier = runs[n - 1]?.finished_at?.getTime() ?? 0
    expect(run.started_at?.getTime()).toBeGreaterThanOrEqual(earlier)
  }
  for (const member of [...workers, second]) await member.end()
})

// In the first case the server waits for the frozen worker's COPY data without a timeout.
test.each([beginsToMerge, hasStoredAPart])(
  'a worker frozen in a compile when $name, which continues after another one has finished it, changes nothing',
  async ({ name, hold, reached }) => {
    const { fleet, db, send, config, refill, compile } = await aWorld()
    const frozen = await fleet.start('worker')
    await refill('before')
    await compile()
    await refill('after')
    const holding = await db.startTransaction().execute()
    await hold.execute(holding)
    const asked = compile().catch(() => null)
    await until(name, () => holds(db, reached))
    frozen.kill('SIGSTOP')
    await holding.rollback().execute()
    const other = await fleet.start('worker')
    await asked
    expect(await runOf(db, config.task_id)).toMatchObject({ state: 'success' })
    const before = await db
      .selectFrom('tasks')
      .select('snapshot_id')
      .where('id', '=', config.task_id)
      .execute()
    frozen.kill('SIGCONT')
    // The worker exits only after it has detected that it lost the lease of its run.
    await frozen.end()
    expect(
      await db.selectFrom('tasks').select('snapshot_id').where('id', '=', config.task_id).execute(),
    ).toEqual(before)
    expect(await roundOf(send, config.id)).toBe('after')
    await other.end()
  },
)

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { pipeline } from '../../src/contract/pipeline/calls.ts'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { syncTaskTypes } from '../../src/contract/task-types/calls.ts'
import { control } from '../fakes/sandbox.ts'
import { refuseInserts } from '../fixtures/refusals.ts'
import { Fleet } from '../processes/fleet.ts'
import { OwnServer } from '../processes/own-server.ts'
import { until } from '../processes/processes.ts'
import { SmallDisk } from '../processes/small-disk.ts'
import { WholePipeline } from '../processes/whole-pipeline.ts'

// Inserts into these tables fail with PostgreSQL's error for a full disk.
const TABLES = ['snapshot_rows', 'log_entries', 'task_types']

test('if the disk of the database is full, targets are unchanged, callers get Retry-After, and everything continues once there is room', async () => {
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const { db } = fleet
  const members = [await fleet.start('api'), await fleet.start('worker,scheduler')]
  const { send } = await fleet.people()
  const copies = await fleet.copies(send, 3)
  const allow = await refuseInserts(db, TABLES)

  const { method, path, reply } = syncTasks.execute
  const asked = await Promise.allSettled(
    copies.map(({ task_id }) => send(method, path.replace(':id', String(task_id)), reply)),
  )
  const { create } = syncTaskTypes
  await expect(
    send(create.method, create.path, create.reply, { name: 'One more', chunk_size: 1000 }),
  ).rejects.toThrow(/503/)
  for (const answer of asked) if (answer.status === 'rejected') expect(String(answer.reason)).toMatch('503')
  for (const copy of copies) expect(await fleet.currentRows(copy)).toEqual(copy.before)

  await allow()
  for (const [index, answer] of asked.entries()) {
    const { task_id } = copies[index] ?? { task_id: 0 }
    if (answer.status === 'rejected') await send(method, path.replace(':id', String(task_id)), reply)
  }
  await until('all have ended', async () => {
    const { queued = 0, running = 0 } = await fleet.states()
    return queued + running === 0
  })
  expect(await fleet.states()).toEqual({ success: copies.length })
  for (const copy of copies) expect(await fleet.currentRows(copy)).toEqual(copy.after)
  await Promise.all(members.map((member) => member.end()))
})

/** All runs of a fleet with their attempts and redeliveries. */
const runsOf = ({ db }: Pick<Fleet, 'db'>) =>
  db
    .selectFrom('runs')
    .select(['category', 'state', 'attempts', 'redeliveries', 'refusals', 'error'])
    .execute()

const isOver = ({ state }: { state: string }) => !['queued', 'running', 'stopping'].includes(state)

const DONE = { state: 'success', attempts: 1, redeliveries: 0, error: null }

test.each([
  ['snapshots', 'source'],
  ['snapshot_rows', 'source'],
  ['compiled_blocks', 'compiler'],
] as const)(
  'if the disk is full for %s for seconds, its runs wait and succeed without counting an attempt',
  async (table, category) => {
    const fleet = await Fleet.open()
    onTestFinished(fleet.close)
    const { db } = fleet
    const members = [
      await fleet.start('api'),
      await fleet.start('worker,scheduler'),
      await fleet.start('worker'),
    ]
    const { send } = await fleet.people()
    const whole = await WholePipeline.build(fleet, send)
    const allow = await refuseInserts(db, [table])
    await send(pipeline.run.method, pipeline.run.path, pipeline.run.reply)
    await until('a run was refused more often than workers may be lost', async () =>
      (await runsOf(fleet)).some((run) => run.category === category && run.refusals > 3),
    )
    await allow()
    await until('all have ended', async () => (await runsOf(fleet)).every(isOver))
    for (const run of await runsOf(fleet)) expect(run).toMatchObject(DONE)
    for (const { current, expected } of await whole.targetRows(0)) expect(current).toEqual(expected)
    const lost = await sql`select from log_entries where message like '%orker lost%'`.execute(db)
    expect(lost.rows).toEqual([])
    await Promise.all(members.map((member) => member.end()))
  },
)

test.skipIf(!SmallDisk.isPossible)(
  'if a small database disk fills while runs store rows and is freed, all runs succeed and no worker is lost',
  async () => {
    const disk = await SmallDisk.mount(400)
    onTestFinished(disk.unmount)
    // The write-ahead log has enough space, so statements fail instead of the server shutting down.
    const server = await OwnServer.start({
      folder: disk.folder,
      settings: {
        shared_buffers: '32MB',
        min_wal_size: '160MB',
        max_wal_size: '160MB',
        checkpoint_timeout: '15min',
      },
    })
    onTestFinished(server.close)
    const fleet = await Fleet.open({}, { own: server })
    onTestFinished(fleet.close)
    const { db } = fleet
    const members = [
      await fleet.start('api'),
      await fleet.start('worker,scheduler'),
      await fleet.start('worker'),
    ]
    const { send } = await fleet.people()
    const whole = await WholePipeline.build(fleet, send, { sources: 4, targets: 2 })
    await sql`create table filler (text text)`.execute(db)
    await sql`insert into filler select repeat(md5(n::text), 60) from generate_series(1, 60000) n`.execute(db)
    await sql`delete from filler`.execute(db)
    // Slow enough that the disk is full before the runs store anything.
    await control(fleet.root, 'PUT', 'latency', { ms: 1000, jitter_ms: 0 })
    await send(pipeline.run.method, pipeline.run.path, pipeline.run.reply)
    // A server whose disk is full may refuse new connections.
    await db.connection().execute(async (connected) => {
      await runsOf({ db: connected })
      const kept = await disk.fill()
      // Only the workers' own output can show it: the database may refuse their log entries as well.
      await Promise.race(
        members.map((member) => member.printed(/A run failed because the database is unavailable/)),
      )
      const failed = (await runsOf({ db: connected })).filter(({ state }) => /^(failed|error)$/.test(state))
      expect(failed).toEqual([])
      await kept.free()
    })
    await until('all have ended', async () => (await runsOf(fleet)).every(isOver))
    for (const run of await runsOf(fleet)) expect(run).toMatchObject(DONE)
    for (const { current, expected } of await whole.targetRows(0)) expect(current).toEqual(expected)
    await Promise.all(members.map((member) => member.end()))
  },
)

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

// What PostgreSQL says when it cannot write, said for these tables.
const TABLES = ['snapshot_rows', 'log_entries', 'task_types']

test('the disk of the database is full: targets stay as they are, callers are told to come again, and all goes on once there is room', async () => {
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
  for (const copy of copies) expect(await fleet.held(copy)).toEqual(copy.before)

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
  for (const copy of copies) expect(await fleet.held(copy)).toEqual(copy.after)
  await Promise.all(members.map((member) => member.end()))
})

/** Runs of a fleet that have ended or not, and how often each went to another worker. */
const runsOf = (fleet: Fleet) =>
  fleet.db
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
  'the disk is full for %s alone for seconds: its runs wait, and end well at no cost to their attempts',
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
    for (const { held, expected } of await whole.held(0)) expect(held).toEqual(expected)
    const lost = await sql`select from log_entries where message like '%orker lost%'`.execute(db)
    expect(lost.rows).toEqual([])
    await Promise.all(members.map((member) => member.end()))
  },
)

test.skipIf(!SmallDisk.isPossible)(
  'a database on a small disk that fills while runs store rows, and is freed: all end well, and no worker was lost',
  async () => {
    const disk = await SmallDisk.mount(400)
    onTestFinished(disk.unmount)
    // So that the journal has the room that it needs: what is full is refused, then, instead of ending the server.
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
    // Slow enough that the disk is full before they store anything.
    await control(fleet.root, 'PUT', 'latency', { ms: 1000, jitter_ms: 0 })
    await send(pipeline.run.method, pipeline.run.path, pipeline.run.reply)
    const kept = await disk.fill()
    // Only their workers can say so yet: the database may refuse what they write about it, too.
    await Promise.race(
      members.map((member) => member.printed(/A run failed because the database is unavailable/)),
    )
    expect((await runsOf(fleet)).filter(({ state }) => state === 'failed' || state === 'error')).toEqual([])
    await kept.free()
    await until('all have ended', async () => (await runsOf(fleet)).every(isOver))
    for (const run of await runsOf(fleet)) expect(run).toMatchObject(DONE)
    for (const { held, expected } of await whole.held(0)) expect(held).toEqual(expected)
    await Promise.all(members.map((member) => member.end()))
  },
)

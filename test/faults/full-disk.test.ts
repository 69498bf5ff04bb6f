import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks.ts'
import { syncTaskTypes } from '../../src/contract/task-types.ts'
import { Fleet } from '../fleet.ts'
import { until } from '../processes.ts'

// What PostgreSQL says when it cannot write, said for these tables.
const TABLES = ['snapshot_rows', 'log_entries', 'task_types']
const DISK_FULL = '53100'

test('the disk of the database is full: targets stay as they are, callers are told to come again, and all goes on once there is room', async () => {
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const { db } = fleet
  const members = [await fleet.start('api'), await fleet.start('worker,scheduler')]
  const { send } = await fleet.people()
  const copies = await fleet.copies(send, 3)
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = ${sql.lit(DISK_FULL)}; end $$`.execute(
    db,
  )
  for (const table of TABLES)
    await sql`create trigger full_disk before insert on ${sql.table(table)} execute function refuse()`.execute(
      db,
    )

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

  for (const table of TABLES) await sql`drop trigger full_disk on ${sql.table(table)}`.execute(db)
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

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wallTime } from '../../src/server/engine/schedule/wall-time.ts'
import { testDatabase } from '../fixtures/database.ts'
import { engineProcess } from '../fixtures/engine.ts'
import { until } from '../processes/processes.ts'

const TASKS = 10_000

test(`${TASKS} tasks due in the same minute: each starts once, with two schedulers and three workers`, async () => {
  const database = await testDatabase()
  const { db } = database
  const due = new Date(Math.floor(Date.now() / 60_000 - 2) * 60_000)
  const time = new Date(wallTime(due, 'America/New_York')).toISOString().slice(11, 16)
  await sql`
    with type as (
      insert into task_types (category, name, chunk_size, allowed_concurrent_tasks) values ('sync', 'Many', 1000, 100)
      returning id
    )
    insert into tasks (category, task_type_id, name, sort_order, scheduled_times, scheduled_since)
    select 'sync', type.id, 'Task ' || n, n, array[${time}::text], now() - interval '1 day'
    from type, generate_series(1, ${TASKS}::int) n`.execute(db)
  await sql`update schedule_clock set scanned_until = now() - interval '5 minutes'`.execute(db)

  const roles = ['scheduler', 'scheduler', 'worker', 'worker', 'worker']
  const fleet = await Promise.all(roles.map((role) => engineProcess(database, role, 30)))
  await until('every occurrence is recorded', async () => (await count('due_moments')) === TASKS, 30)
  await fleet[0]?.end('SIGKILL')
  await until(
    'every run is over',
    async () => {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from runs where state = 'success'`.execute(db)
      return rows[0]?.n === TASKS
    },
    350,
  )

  expect(await count('runs')).toBe(TASKS)
  const { rows } = await sql<{ tasks: number; linked: number; attempts: number }>`
    select count(distinct m.task_id)::int as tasks, count(distinct m.run_id)::int as linked, max(r.attempts) as attempts
    from due_moments m join runs r on r.id = m.run_id and r.task_id = m.task_id where m.outcome = 'started'`.execute(
    db,
  )
  expect(rows).toEqual([{ tasks: TASKS, linked: TASKS, attempts: 1 }])
  await Promise.all(fleet.slice(1).map((one) => one.end()))

  async function count(table: 'due_moments' | 'runs'): Promise<number> {
    const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
    return found.rows[0]?.n ?? 0
  }
})

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { wallTime } from '../../src/server/engine/schedule/wall-time.ts'
import { control } from '../fakes/sandbox.ts'
import { Fleet } from '../processes/fleet.ts'
import { OwnServer } from '../processes/own-server.ts'
import { until } from '../processes/processes.ts'
import { WholePipeline } from '../processes/whole-pipeline.ts'

const ZONE = 'America/New_York'
const MINUTE_MS = 60_000
const SOURCES = 3
const TARGETS = 2

/** Makes all three categories due at the same minute, which has just passed; schedulers detect it on their next check. */
async function makeDue(fleet: Fleet): Promise<void> {
  const due = new Date(Math.floor(Date.now() / MINUTE_MS - 2) * MINUTE_MS)
  const [hour, minute] = new Date(wallTime(due, ZONE)).toISOString().slice(11, 16).split(':').map(Number)
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  const { db } = fleet
  await sql`delete from due_moments`.execute(db)
  await sql`update task_types set cron_schedule = ${`${minute} ${hour} * * *`} where category <> 'sync'`.execute(
    db,
  )
  await sql`update tasks set scheduled_times = array[${time}::text] where category = 'sync'`.execute(db)
  await sql`update task_types set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set scheduled_since = now() - interval '1 day', created_at = now() - interval '1 day'`.execute(
    db,
  )
  await sql`update schedule_clock set scanned_until = ${due}::timestamptz - interval '1 minute'`.execute(db)
}

test('with a schedule of 04:00 for all categories, sources, the compile and copies run in order once each, even if all processes including api and database are killed', async () => {
  const server = await OwnServer.start()
  onTestFinished(server.close)
  const fleet = await Fleet.open({}, { own: server })
  onTestFinished(fleet.close)
  const { db } = fleet
  let api = await fleet.start('api')
  const { send } = await fleet.people()
  const whole = await WholePipeline.build(fleet, send, { sources: SOURCES, targets: TARGETS })
  const roles = ['worker', 'worker', 'scheduler']
  await control(fleet.root, 'PUT', 'latency', { ms: 600, jitter_ms: 600 })

  const count = async (condition: ReturnType<typeof sql<boolean>>) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from runs r where ${condition}`.execute(db)
    return rows[0]?.n ?? 0
  }
  let last_run = 0
  const ours = (condition: ReturnType<typeof sql<boolean>>) =>
    count(sql<boolean>`r.id > ${last_run} and ${condition}`)
  const moments = [
    ['the runs are queued', () => ours(sql<boolean>`true`)],
    [
      'sources are fetched',
      () => ours(sql<boolean>`category = 'source' and state = 'running' and job_retry is not null`),
    ],
    ['one source is done', () => ours(sql<boolean>`category = 'source' and state = 'success'`)],
    ['it compiles', () => ours(sql<boolean>`category = 'compiler' and state <> 'queued'`)],
    [
      'targets are written',
      () => ours(sql<boolean>`category = 'sync' and state = 'running' and job_retry is not null`),
    ],
  ] as const

  for (const [round, [name, reached]] of moments.entries()) {
    await whole.turn(round)
    await makeDue(fleet)
    const first = await Promise.all(roles.map((role) => fleet.start(role)))
    await until(name, async () => (await reached()) > 0, 120)
    await Promise.all([api, ...first].map((member) => member.end('SIGKILL')))
    await server.crash()
    api = await fleet.start('api')
    const second = await Promise.all(roles.map((role) => fleet.start(role)))
    const all = SOURCES + 1 + TARGETS
    const over = sql<boolean>`state not in ('queued', 'running', 'stopping')`
    await until(
      `all is over although everything was killed when ${name}`,
      async () => (await ours(over)) === all,
      240,
    )

    const runs = await db
      .selectFrom('runs')
      .select(['id', 'category', 'state', 'error', 'started_at', 'finished_at', 'attempts'])
      .where('id', '>', last_run)
      .execute()
    expect(runs.map(({ state, error }) => [state, error])).toEqual(runs.map(() => ['success', null]))
    const edge = (category: string, end: 'started_at' | 'finished_at') =>
      runs.filter((run) => run.category === category).map((run) => run[end]?.getTime() ?? Number.NaN)
    expect(Math.min(...edge('compiler', 'started_at')), name).toBeGreaterThanOrEqual(
      Math.max(...edge('source', 'finished_at')),
    )
    expect(Math.min(...edge('sync', 'started_at')), name).toBeGreaterThanOrEqual(
      Math.max(...edge('compiler', 'finished_at')),
    )
    const due = await db.selectFrom('due_moments').select(['task_id', 'outcome', 'run_id']).execute()
    expect(due.map(({ outcome }) => outcome)).toEqual(due.map(() => 'started'))
    expect(new Set(due.map(({ run_id }) => run_id)).size).toBe(all)

    for (const { current, expected } of await whole.targetRows(round)) expect(current).toEqual(expected)
    last_run = Math.max(...runs.map(({ id }) => id))
    await Promise.all(second.map((member) => member.end()))
  }
  await api.end()
})

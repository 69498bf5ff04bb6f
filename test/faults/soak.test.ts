import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { wallTime } from '../../src/server/engine/schedule/wall-time.ts'
import { control } from '../fakes/sandbox.ts'
import { chaos, randomFrom } from '../processes/chaos.ts'
import { checkCopies } from '../processes/check-copies.ts'
import { type Copy, Fleet } from '../processes/fleet.ts'
import { until } from '../processes/processes.ts'

const BY_HAND = 30
const DUE = 20
const MINUTE_MS = 60_000
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000)

test(`fifty copies, by hand and due, while workers and schedulers are killed and frozen at random (SOAK_SEED=${seed})`, async () => {
  console.log(`SOAK_SEED=${seed}`)
  const random = randomFrom(seed)
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const { db } = fleet
  const api = await fleet.start('api')
  const { send } = await fleet.people()
  const by_hand = await fleet.copies(send, BY_HAND)
  const roles = ['worker', 'worker', 'worker', 'scheduler', 'scheduler']
  const members = await Promise.all(roles.map((role) => fleet.start(role)))
  await control(fleet.root, 'PUT', 'latency', { ms: 300, jitter_ms: 1_500 })

  const on_time = await fleet.copies(send, DUE)
  const [next, after_next] = [1, 2].map(
    (n) => new Date((Math.floor(Date.now() / MINUTE_MS + 1 / 3) + n) * MINUTE_MS),
  )
  const due = on_time.map((copy, n) => ({ copy, moment: (n < DUE / 2 ? next : after_next) ?? new Date() }))
  for (const { copy, moment } of due) {
    const time = new Date(wallTime(moment, 'America/New_York')).toISOString().slice(11, 16)
    const { method, path, reply } = syncTasks.update
    await send(method, path.replace(':id', String(copy.task_id)), reply, { scheduled_times: [time] })
  }
  const copies = [...by_hand, ...on_time]
  let accepted = 0
  const execute = async ({ task_id }: Copy) => {
    const { method, path, reply } = syncTasks.execute
    const { status } = await send(method, path.replace(':id', String(task_id)), reply)
    if (status === 'success') accepted += 1
  }
  await Promise.all(by_hand.map(execute))
  expect(accepted).toBe(BY_HAND)
  const struck = await chaos(members, {
    random,
    milliseconds: Number(after_next) - Date.now() + MINUTE_MS / 3,
    replace: async ({ roles }) => {
      // A user presses Run once more.
      const again = by_hand[Math.floor(random() * BY_HAND)]
      if (again) await execute(again)
      return fleet.start(roles)
    },
  })
  const calm = performance.now()
  const unfinished = async () => {
    const { queued = 0, running = 0, stopping = 0 } = await fleet.states()
    const waiting = await db.selectFrom('due_moments').select('id').where('outcome', 'is', null).execute()
    return queued + running + stopping + waiting.length
  }
  console.log(
    `${struck.killed} killed, ${struck.frozen} frozen; ${await unfinished()} of the runs not over yet`,
  )
  await control(fleet.root, 'PUT', 'latency', { ms: 0 })
  await until('everything has recovered by itself', async () => (await unfinished()) === 0, 240)
  console.log(`all over ${((performance.now() - calm) / 1000).toFixed(1)} s later`)

  // No acknowledged request is lost.
  const runs = await db.selectFrom('runs').selectAll().execute()
  expect(runs.filter(({ trigger }) => trigger === 'manual')).toHaveLength(accepted)
  // Only a run that lost three workers to random faults may end as Error.
  for (const { state, redeliveries } of runs) expect(state).toBe(redeliveries >= 3 ? 'error' : 'success')
  await checkCopies(fleet, copies, runs)
  // Every occurrence started exactly one run.
  const started = await db
    .selectFrom('due_moments')
    .innerJoin('runs', 'runs.id', 'due_moments.run_id')
    .select(['due_moments.task_id', 'due_at', 'outcome', 'trigger'])
    .where('runs.task_id', '=', sql<number>`due_moments.task_id`)
    .orderBy('due_moments.task_id')
    .execute()
  expect(started).toEqual(
    due.map(({ moment: due_at, copy: { task_id } }) => ({
      task_id,
      due_at,
      outcome: 'started',
      trigger: 'schedule',
    })),
  )
  expect(runs.filter(({ trigger }) => trigger === 'schedule')).toHaveLength(due.length)
  // Abandoned staging tabs of interrupted runs are deleted.
  await until('no staging tab is left', async () => (await tabs(fleet, copies)) === copies.length, 180)
  await Promise.all([api, ...members].map((one) => one.end()))
})

async function tabs(fleet: Fleet, copies: readonly Copy[]): Promise<number> {
  const each = await Promise.all(copies.map(({ target }) => fleet.tabs(target)))
  return each.flat().length
}

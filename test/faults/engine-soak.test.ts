import { expect, test } from 'vitest'
import { testDatabase } from '../fixtures/database.ts'
import { addTasks, engineProcess, queueSteps, runOf, stepsOf } from '../fixtures/engine.ts'
import { chaos, randomFrom } from '../processes/chaos.ts'

const RUNS = 50
const LIMIT = 5
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000)
const CHAOS_MS = 60_000

test(`${RUNS} runs survive workers and schedulers that are killed and frozen at random (SOAK_SEED=${seed})`, async () => {
  const random = randomFrom(seed)
  const database = await testDatabase()
  const { db } = database
  const roles = ['worker', 'worker', 'worker', 'scheduler', 'scheduler']
  const member = async (role: string) => ({ ...(await engineProcess(database, role, 3)), role })
  const fleet = await Promise.all(roles.map(member))
  const { task_ids } = await addTasks(db, RUNS, { allowed_concurrent_tasks: LIMIT })
  const steps = new Map(task_ids.map((id) => [id, 30 + Math.floor(random() * 30)]))
  for (const [id, count] of steps) await queueSteps(db, id, count)

  await chaos(fleet, { random, milliseconds: CHAOS_MS, replace: ({ role }) => member(role) })

  for (const id of task_ids) {
    const run = await runOf(db, id)
    const done = await stepsOf(db, run.id)
    const count = steps.get(id) ?? 0
    // Only a run that lost three workers to random faults may end as Error.
    expect(run.state).toBe(run.redeliveries >= 3 ? 'error' : 'success')
    expect(done.map(({ step }) => step)).toEqual(
      Array.from({ length: run.state === 'success' ? count : done.length }, (_, i) => i + 1),
    )
    const handovers = done.filter(({ pid }, i) => i > 0 && pid !== done[i - 1]?.pid)
    expect(handovers.length, 'a worker that lost a run wrote to it again').toBeLessThanOrEqual(
      run.redeliveries,
    )
  }
  expect(await db.selectFrom('runs').select('id').execute()).toHaveLength(RUNS)
  await Promise.all(fleet.map((one) => one.end('SIGKILL')))
})

import { expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { Fleet } from '../processes/fleet.ts'
import { until } from '../processes/processes.ts'

const COPIES = 12
const ROUNDS = 4

test('if the api is killed while runs are requested, each acknowledged run is executed once', async () => {
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const { db } = fleet
  let api = await fleet.start('api')
  const { send } = await fleet.people()
  const copies = await fleet.copies(send, COPIES)
  const acknowledged: number[] = []
  const { method, path, reply } = syncTasks.execute
  for (let round = 0; round < ROUNDS; round += 1) {
    const some = copies.slice((round * COPIES) / ROUNDS, ((round + 1) * COPIES) / ROUNDS)
    const { queued = 0 } = await fleet.states()
    const asking = Promise.allSettled(
      some.map(async ({ task_id }) => {
        await send(method, path.replace(':id', String(task_id)), reply)
        acknowledged.push(task_id)
      }),
    )
    // Kill the api between the requests: at least one run is stored, whether or not its caller has received the reply.
    await until('one more is queued', async () => ((await fleet.states()).queued ?? 0) > queued)
    await api.end('SIGKILL')
    await asking
    api = await fleet.start('api')
  }
  console.log(`${acknowledged.length} of ${COPIES} acknowledged`)
  const worker = await fleet.start('worker,scheduler')
  await until('all have ended', async () => {
    const { queued = 0, running = 0 } = await fleet.states()
    return queued + running === 0
  })

  const runs = await db.selectFrom('runs').select(['task_id', 'state']).execute()
  expect(new Set(runs.map(({ task_id }) => task_id)).size).toBe(runs.length)
  expect(runs.map(({ task_id }) => task_id)).toEqual(expect.arrayContaining(acknowledged))
  for (const { state } of runs) expect(state).toBe('success')
  for (const copy of copies) {
    const ran = runs.some(({ task_id }) => task_id === copy.task_id)
    expect(await fleet.currentRows(copy)).toEqual(ran ? copy.after : copy.before)
  }
  await Promise.all([api, worker].map((one) => one.end()))
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import type { MountStates } from './types.ts'
import { readWaitGroups, waitsByTask } from './waits.ts'
import { readLackedFolders } from './workers.ts'

const database = databasePerTest()

/** An engine with folders, and the tasks whose runs it has executed. */
function engineWith(state: MountStates) {
  const executed: number[] = []
  const handlerFor = (mounts: string[]) =>
    handlerOf(
      async ({ run }) => {
        executed.push(run.task_id)
        return done
      },
      { mounts },
    )
  const start = () =>
    startEngine(database, [handlerFor([])], { roles: ['worker'], mounts: async () => state, concurrency: 10 })
  return { executed, handlerFor, start, state }
}

const waitOf = async (task_id: number) =>
  waitsByTask((await readWaitGroups(database.db, null)).values()).get(task_id)?.waits_for

test('of two workers, the one that has the folders of a run takes it, and the other one takes the rest', async () => {
  const { db } = database
  const [poor, rich] = [
    engineWith({ mounts: ['Files'], missing: ['Out'] }),
    engineWith({ mounts: ['Files', 'Out'], missing: [] }),
  ]
  const { task_ids } = await addTasks(db, 12, { allowed_concurrent_tasks: 12 })
  await poor.start()
  for (const id of task_ids.slice(0, 6)) await queueRun(db, [poor.handlerFor(['Out', 'Files'])], id)
  for (const id of task_ids.slice(6)) await queueRun(db, [poor.handlerFor(['Files'])], id)
  for (const id of task_ids.slice(6)) await runOf(db, id, ['success'])

  // The worker that lacks the folder is idle, and takes none of the other runs.
  expect(await waitOf(task_ids[0] ?? 0)).toEqual({ for: 'worker', folders: ['Out', 'Files'] })
  const { rows } = await sql`select from runs where state = 'running'`.execute(db)
  expect(rows).toHaveLength(0)

  await rich.start()
  for (const id of task_ids.slice(0, 6)) await runOf(db, id, ['success'])
  expect(rich.executed.toSorted()).toEqual(task_ids.slice(0, 6))
  expect(poor.executed.toSorted()).toEqual(task_ids.slice(6).toSorted())
  expect(await readLackedFolders(db)).toEqual([
    { name: 'Files', workers: [], none_left: false },
    { name: 'Out', workers: [expect.stringContaining(`:${process.pid}`)], none_left: false },
  ])
})

test('a run waits for a worker that has all of its folders, not for two that have one each', async () => {
  const { db } = database
  const [one, other] = [
    engineWith({ mounts: ['A'], missing: [] }),
    engineWith({ mounts: ['B'], missing: [] }),
  ]
  await one.start()
  await other.start()
  await until('both are known', async () => (await readLackedFolders(db)).length === 2)
  const { task_ids } = await addTasks(db, 2, { allowed_concurrent_tasks: 2 })
  const [both = 0, alone = 0] = task_ids
  await queueRun(db, [one.handlerFor(['A', 'B'])], both)
  await queueRun(db, [one.handlerFor(['B'])], alone)
  await runOf(db, alone, ['success'])
  expect(other.executed).toEqual([alone])
  expect(await waitOf(both)).toEqual({ for: 'worker', folders: ['A', 'B'] })
})

test('a folder that comes back is enough for the run to start', async () => {
  const { db } = database
  const engine = engineWith({ mounts: [], missing: ['Out'] })
  await engine.start()
  const { task_ids } = await addTasks(db, 1)
  const [id = 0] = task_ids
  await queueRun(db, [engine.handlerFor(['Out'])], id)
  await until(
    'the worker says what it lacks',
    async () => (await readLackedFolders(db))[0]?.none_left === true,
  )
  expect(await runOf(db, id, ['queued'])).toMatchObject({ state: 'queued', attempts: 0 })
  Object.assign(engine.state, { mounts: ['Out'], missing: [] })
  await runOf(db, id, ['success'])
  expect(engine.executed).toEqual([id])
})

test('a worker that has fetched a run without having its folder passes it on', async () => {
  const { db } = database
  const [poor, rich] = [
    engineWith({ mounts: [], missing: ['Out'] }),
    engineWith({ mounts: ['Out'], missing: [] }),
  ]
  await poor.start()
  const { task_ids } = await addTasks(db, 1)
  const [id = 0] = task_ids
  await queueRun(db, [poor.handlerFor(['Out'])], id)
  // As if it had been admitted by a process that knows no folders: its job is in no group.
  await sql`
    with admitted as (
      update runs set state = 'running', job_id = gen_random_uuid() where task_id = ${id} returning id, job_id
    )
    insert into pgboss.job (id, name, data, heartbeat_seconds, expire_seconds, policy)
    select job_id, 'sync-runs', jsonb_build_object('run_id', id), 10, 1000, 'standard' from admitted`.execute(
    db,
  )
  await until('the run was passed on', async () => (await logOf(db, id)).length >= 2)
  expect(await logOf(db, id)).toEqual([
    'INFO Run started, requested by ada@example.com',
    expect.stringMatching(
      /^INFO .+:\d+ lacks a folder of the run \(Out\) and leaves it to another worker\.$/,
    ),
  ])
  await rich.start()
  expect(await runOf(db, id)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 0 })
  expect([poor.executed, rich.executed]).toEqual([[], [id]])
})

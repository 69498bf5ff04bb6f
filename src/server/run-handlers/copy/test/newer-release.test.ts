import { beforeEach, describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import { newerRelease } from '../../messages.ts'

const table = [
  ['SKU', 'Stock'],
  ['A', 1],
]

describe.each(copyWorlds())('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  test('a run with settings of a newer release reads and writes nothing', async () => {
    const { task } = await world.pair(table)
    await world.setRetries(task, 0)
    const run = await world.run(task, { only_weekdays: true })
    expect(run).toMatchObject({ state: 'failed', message: newerRelease(['only_weekdays']) })
    expect(run.requests).toMatchObject({ read: 0, write: 0 })
  })

  test('with retries it waits a minute, for a newer worker', async () => {
    const { task } = await world.pair(table)
    await world.setRetries(task, 1)
    await world.start(task, { only_weekdays: true })
    const attempt = () =>
      world.db
        .selectFrom('runs')
        .select(['state', 'attempts', 'started_at', 'not_before'])
        .where('task_id', '=', task)
        .where('attempts', '=', 1)
        .where('not_before', 'is not', null)
        .executeTakeFirst()
    await expect.poll(attempt, { timeout: 60_000 }).toMatchObject({ state: 'queued', attempts: 1 })
    const { started_at, not_before } = (await attempt()) ?? {}
    expect(Number(not_before) - Number(started_at)).toBeGreaterThanOrEqual(60_000)
    await world.stop(task)
  })

  test('runs that an earlier release queued still run', async () => {
    const { task } = await world.pair(table)
    const run = await world.run(task, { source_compiler_config_id: null, task_id: task })
    expect(run.state).toBe('success')
  })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'
import { logOf, runOf } from '../../../../../test/fixtures/engine.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'

// Long enough to keep the run retrying until its writes are accepted.
const world = copyWorld({ backoff: { first_ms: 5, max_ms: 40, give_up_after_ms: 300_000 } })

test('only one run at a time writes a tab that two tasks reach by different names, even if both could be bound to it', async () => {
  const { db } = world
  // Without the unique index on target tabs, only the run's exclusive key prevents parallel writes.
  await sql`drop index sync_tasks_target_sheet_key`.execute(db)
  const source_ss_id = await world.spreadsheet({ Products: [['SKU'], ['A']] })
  const target_ss_id = await world.spreadsheet({ Shop: [] })
  const between = { source_ss_id, source_sheet_name: 'Products', target_ss_id }
  const by_name = await world.task({ ...between, target_sheet_name: 'Shop' })
  const by_id = await world.task({ ...between, target_sheet_name: 'Store', target_sheet_id: 100 })
  await sql`update tasks set name = 'Nightly shop' where id = ${by_name}`.execute(db)

  await world.faults({ kind: '503', match: { kind: 'write' } })
  await world.start(by_name)
  await until(async () => (await logOf(db, by_name)).some((line) => line.startsWith('INFO Copying ')))
  await world.start(by_id)
  const states = await taskStates(db, [by_name, by_id])
  expect(states.get(by_name)?.state).toBe('running')
  expect(states.get(by_id)).toMatchObject({
    state: 'queued',
    waits_for: { for: 'exclusive', task: 'Nightly shop (Shop)' },
  })

  await world.faults()
  const [first, second] = [await runOf(db, by_name), await runOf(db, by_id)]
  expect(first.state).toBe('success')
  expect(second.started_at?.getTime()).toBeGreaterThanOrEqual(first.finished_at?.getTime() ?? Infinity)
})

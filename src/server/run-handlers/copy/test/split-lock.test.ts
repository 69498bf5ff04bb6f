import { expect, test } from 'vitest'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'
import { logOf, runOf } from '../../../../../test/fixtures/engine.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'

// Long enough to keep the first run retrying until its writes are accepted.
const world = copyWorld({ backoff: { first_ms: 5, max_ms: 40, give_up_after_ms: 300_000 } })

test.each(['the split task', 'the other task'])(
  'a split task and one that writes a tab of its spreadsheet wait for each other: %s comes first',
  async (which) => {
    const { task, target } = await world.pair(
      [
        ['SKU', 'Country'],
        ['1', 'DE'],
      ],
      [],
      { split_by: 'Country', target_sheet_name: 'Unused' },
    )
    const source_ss_id = await world.spreadsheet({ Products: [['SKU'], ['A']] })
    const other = await world.task({ source_ss_id, target_ss_id: target })
    const elsewhere = (await world.pair([['SKU'], ['A']])).task
    const [first, second] = which === 'the split task' ? [task, other] : [other, task]

    await world.faults({ kind: '503', match: { kind: 'write' } })
    await world.start(first)
    const hasBegun = /INFO (Copying|Splitting) /
    await until(async () => (await logOf(world.db, first)).some((line) => hasBegun.test(line)))
    await world.start(second)
    await world.start(elsewhere)
    await until(async () => (await taskStates(world.db, [elsewhere])).get(elsewhere)?.state === 'running')
    const states = await taskStates(world.db, [second])
    expect(states.get(second)).toMatchObject({ state: 'queued', waits_for: { for: 'exclusive' } })

    await world.faults()
    const [one, two] = [await runOf(world.db, first), await runOf(world.db, second)]
    expect([one.state, two.state]).toEqual(['success', 'success'])
    expect(two.started_at?.getTime()).toBeGreaterThanOrEqual(one.finished_at?.getTime() ?? Infinity)
    expect(await world.values(target, 'DE')).toEqual([
      ['SKU', 'Country'],
      ['1', 'DE'],
    ])
  },
)

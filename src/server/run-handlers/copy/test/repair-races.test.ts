import { describe, expect, test } from 'vitest'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'
import {
  data,
  edits,
  held,
  pair,
  racedWorlds,
  rowsAt,
  sorted,
  wantedRows,
} from '../../../../../test/fixtures/matched-table.ts'

// Other people edit a target whose rows are matched right before the commit, and once more right before the run repairs that.
const { direct, staged } = racedWorlds()

const sort = (dimensionIndex: number, sortOrder: string) => ({
  sortRange: { range: data, sortSpecs: [{ dimensionIndex, sortOrder }] },
})

const first = {
  'sorts by key': sort(0, 'ASCENDING'),
  'sorts by name, descending': sort(1, 'DESCENDING'),
}
const second = {
  'sorts by key, descending': sort(0, 'DESCENDING'),
  'sorts by name': sort(1, 'ASCENDING'),
  'sorts by note, descending': sort(3, 'DESCENDING'),
  'moves a row': edits['moves a row'],
  'inserts a row': edits['inserts a row in the middle'],
  'deletes the last row': { deleteDimension: { range: rowsAt(4, 5) } },
}

const cases = ['run', 'plan'].flatMap((of) =>
  Object.entries(first).flatMap(([before, one]) =>
    Object.entries(second).flatMap(([then, two]) =>
      ['goes on', 'ends'].map((worker) => ({ of, before, then, one, two, worker })),
    ),
  ),
)

describe.each([
  { how: 'small', worldOf: () => direct, body: /updateCells.*deleteSheet/s },
  { how: 'staged', worldOf: () => staged, body: /copyPaste.*deleteSheet/s },
])('right before a $how commit and right before its repair', ({ worldOf, body }) => {
  test.each(cases)(
    'of a $of: a person who $before, then $then, loses nothing, and the rows end right if the worker $worker',
    async ({ of, one, then, two, worker }) => {
      const world = worldOf()
      const { target, task } = await pair(world, 'update')
      const { target: twin } = await world.pair([], held)
      await world.batch(twin, one)
      await world.batch(twin, two)
      const path = new RegExp(target)
      const plan = of === 'plan' ? (await world.preview(task)).plan_id : null
      const commit = world.proxy.hold({ path, ...COMMIT })
      await world.start(task, { plan })
      await commit.arrived
      await world.batch(target, one)
      const repair = world.proxy.hold({ path, body })
      await commit.deliver()
      await repair.arrived
      await world.batch(target, two)
      const edited = await world.values(target, 'Shop')
      if (worker === 'ends') {
        const next = world.proxy.hold({ method: 'GET', path })
        repair.breakOff()
        await repair.deliver()
        await next.arrived
        await world.changeEngine()
      } else await repair.deliver()
      const run = await world.ended(task)
      const said = () =>
        `${run.state} ${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
      let after = await world.values(target, 'Shop')
      expect(['success', 'warning'], said()).toContain(run.state)
      // The overwritten row may be the one that was deleted.
      if (!then.startsWith('deletes')) expect(run.state, said()).toBe('warning')
      // A plan leaves out rows that were deleted.
      if (of === 'plan') {
        await world.run(task)
        after = await world.values(target, 'Shop')
      }
      expect(sorted(after), said()).toEqual(sorted(wantedRows('update', await world.values(twin, 'Shop'))))
      expect((await world.run(task)).receipt?.mode, said()).toBe('unchanged')
    },
  )
})

import { type Selectable, sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/server/platform/schema.ts'
import type { Copy, Fleet } from './fleet.ts'

/** Checks the targets (W) and the runs (O) of a fleet after any faults; the letters are those of docs/reliability.md. */
export async function judgeCopies(
  fleet: Fleet,
  copies: readonly Copy[],
  runs: readonly Selectable<Database['runs']>[],
): Promise<void> {
  // W: a target holds the rows of its source or those it held before; after a Success, those of its source.
  for (const copy of copies) {
    const held = await fleet.held(copy)
    const succeeded = runs.some(({ task_id, state }) => task_id === copy.task_id && state === 'success')
    if (succeeded) expect(held).toEqual(copy.after)
    else expect([copy.before, copy.after]).toContainEqual(held)
  }
  // O: a task's runs, and those into a tab, came one after the other, and none wrote when it was over.
  const { rows: overlaps } = await sql`
    select one.id, other.id from runs one
    join runs other on other.id > one.id and (other.task_id = one.task_id or other.exclusive_key = one.exclusive_key)
    where other.started_at < one.finished_at`.execute(fleet.db)
  expect(overlaps).toEqual([])
  const ends = new Map(runs.map(({ id, finished_at }) => [id, finished_at?.getTime() ?? 0]))
  const late = (await fleet.ledger()).filter(({ user_agent, at, applied, cells }) => {
    const [, id = '0'] = /\(run (\d+)\)/.exec(user_agent) ?? []
    return applied && cells > 0 && Date.parse(at) > (ends.get(Number(id)) ?? Number.POSITIVE_INFINITY)
  })
  expect(late).toEqual([])
}

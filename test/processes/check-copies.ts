import { type Selectable, sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/server/platform/schema.ts'
import type { Copy, Fleet } from './fleet.ts'

/** Checks targets (W) and runs (O) of a fleet after faults; the letters refer to the promises in docs/reliability.md. */
export async function checkCopies(
  fleet: Fleet,
  copies: readonly Copy[],
  runs: readonly Selectable<Database['runs']>[],
): Promise<void> {
  // W: a target contains the rows of its source or its previous rows; after a Success, the rows of its source.
  for (const copy of copies) {
    const rows = await fleet.currentRows(copy)
    const succeeded = runs.some(({ task_id, state }) => task_id === copy.task_id && state === 'success')
    if (succeeded) expect(rows).toEqual(copy.after)
    else expect([copy.before, copy.after]).toContainEqual(rows)
  }
  // O: runs of one task or one target tab did not overlap, and no run wrote after its end.
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

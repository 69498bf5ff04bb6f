import type { Pool } from 'pg'
import { type RunContext, RunFailure } from '../../engine/types.ts'
import { CopiedRows } from '../../snapshots/copied-rows.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { RowSet } from '../../snapshots/row-set.ts'
import type { CompilePlan } from './compile-plan.ts'
import type { Compile } from './compile-run.ts'
import { GatheredRows } from './gathered-rows.ts'
import { beforeReading, keptReading, READ_BY_KEY, type Reading, sourceReading } from './readings.ts'
import type { RowShelf } from './row-shelf.ts'

/**
 * Reads the sources, one after the other and the next one ahead, and what is known of the records of before; `gone`: those that
 * have no row any more. Throws RunFailure where rows of a source are gone.
 */
export async function gatherRows(
  pool: Pool,
  { context, plan, current, kept }: Compile,
  { shelf, same_fields }: { shelf: RowShelf; same_fields: boolean },
): Promise<{ gathered: GatheredRows; gone: RowSet }> {
  const gathered = new GatheredRows(plan, shelf)
  const sources = plan.sources.map((source, n) => sourceReading(source, n, gathered))
  const before = current !== null && kept === null ? beforeReading(current, gathered, same_fields) : null
  const readings = [kept === null ? [] : keptReading(kept, gathered), ...sources, before ?? []].flat()
  const rows_total = plan.sources.reduce((sum, { row_count }) => sum + row_count, 0)
  const between = async () => {
    const rows_done = sources.reduce((sum, { rows }) => sum + rows, 0)
    await shelf.flush()
    await context.progress({ phase: 'Reading the sources', rows_done, rows_total })
  }
  await readAll(readings, { pool, context, between, keep: () => keepSources(context, plan) })
  for (const [n, { rows }] of sources.entries())
    if (rows !== plan.sources[n]?.row_count) throw rowsGone(plan.sources[n]?.name ?? '')
  return { gathered, gone: before?.gone ?? new RowSet() }
}

type Reader = {
  pool: Pool
  context: RunContext
  between: () => Promise<void>
  keep: () => Promise<void>
}

// Each reading begins while the one before is taken.
async function readAll(
  readings: readonly Reading[],
  { pool, context, between, keep }: Reader,
): Promise<void> {
  const open = async (reading: Reading | undefined) => {
    if (reading === undefined) return undefined
    await context.assertLease()
    await keep()
    return CopiedRows.open(pool, { query: reading.query, settings: READ_BY_KEY })
  }
  let ahead = open(readings[0])
  try {
    for (const [n, { take }] of readings.entries()) {
      const rows = await ahead
      ahead = open(readings[n + 1])
      ahead.catch(() => {})
      await rows?.read(take, between, context.signal)
    }
  } finally {
    await ahead.then(
      (rows) => rows?.close(),
      () => {},
    )
  }
}

// What a statement has begun to read stays.
async function keepSources({ db }: RunContext, { sources }: CompilePlan): Promise<void> {
  for (const { snapshot_id, name } of sources) if (!(await pinSnapshot(db, snapshot_id))) throw rowsGone(name)
}

const rowsGone = (name: string) =>
  new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })

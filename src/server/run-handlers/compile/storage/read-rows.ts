import type { Pool } from 'pg'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { BlockPool } from '../../../snapshots/block-pool.ts'
import { CopiedRows } from '../../../snapshots/copied-rows.ts'
import { pinSnapshots } from '../../../snapshots/pin.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { Compile } from '../compile-run.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import { GatheredRows } from './gathered-rows.ts'
import type { PartitionedSpillFile } from './partitioned-spill-file.ts'
import { beforeReading, keptReading, READ_BY_KEY, type Reading, sourceReadings } from './row-queries.ts'

/**
 * Reads the sources, piece by piece and the next one ahead, and what is known of the records of before; `gone`: those that
 * have no row any more. Throws RunFailure where rows of a source are gone.
 */
export async function gatherRows(
  pool: Pool,
  { context, plan, current, kept }: Compile,
  { spill, same_fields }: { spill: PartitionedSpillFile; same_fields: boolean },
): Promise<{ gathered: GatheredRows; gone: RowSet }> {
  const gathered = new GatheredRows(plan, spill)
  const sources = plan.sources.flatMap((source, n) => sourceReadings(source, n, gathered))
  const before = current !== null && kept === null ? beforeReading(current, gathered, same_fields) : null
  const readings = [kept === null ? [] : keptReading(kept, gathered), sources, before ?? []].flat()
  const rows_total = plan.sources.reduce((sum, { row_count }) => sum + row_count, 0)
  const between = async () => {
    const rows_done = gathered.rows.reduce((sum, rows) => sum + rows, 0)
    await spill.flush()
    await context.progress({ phase: 'Reading the sources', rows_done, rows_total })
  }
  await readAll(readings, { pool, context, between, keep: () => keepSources(context, plan) })
  for (const [n, { row_count, name }] of plan.sources.entries())
    if (gathered.rows[n] !== row_count) throw rowsGone(name)
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
  const blocks = new BlockPool()
  const open = async (reading: Reading | undefined) => {
    if (reading === undefined) return undefined
    await context.assertLease()
    await keep()
    return CopiedRows.open(pool, { query: reading.query, settings: READ_BY_KEY, blocks })
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
  const [gone] = await pinSnapshots(
    db,
    sources.map(({ snapshot_id }) => snapshot_id),
  )
  if (gone !== undefined) throw rowsGone(sources.find(({ snapshot_id }) => snapshot_id === gone)?.name ?? '')
}

const rowsGone = (name: string) =>
  new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })

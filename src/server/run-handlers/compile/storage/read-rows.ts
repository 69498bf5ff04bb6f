import type { Pool } from 'pg'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { BlockPool } from '../../../snapshots/block-pool.ts'
import { CopiedRows } from '../../../snapshots/copied-rows.ts'
import { pinSnapshots } from '../../../snapshots/pin.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import { GatheredRows } from './gathered-rows.ts'
import type { PartitionedSpillFile } from './partitioned-spill-file.ts'
import type { PreviousRecords } from './previous-records.ts'
import { previousQuery, READ_BY_KEY, type RowQuery, sourceQueries, unchangedQuery } from './row-queries.ts'

/** What a compile reads. */
export type CompileInputs = {
  context: RunContext
  plan: CompilePlan
  previous: PreviousRecords | null
  /** The previous records if they are copied unchanged, else null. */
  unchanged: PreviousRecords | null
}

/**
 * Reads the rows of all sources and what is compared of the previous records, and spills them. `gone`: previous records whose SKU no
 * source has any more. Throws RunFailure if rows of a source were pruned.
 */
export async function readRows(
  pool: Pool,
  { context, plan, previous, unchanged }: CompileInputs,
  { spill, same_fields }: { spill: PartitionedSpillFile; same_fields: boolean },
): Promise<{ gathered: GatheredRows; gone: RowSet }> {
  const gathered = new GatheredRows(plan, spill)
  // Records that are copied unchanged need no comparison.
  const compared =
    previous !== null && unchanged === null
      ? previousQuery(previous, gathered, { same_fields, with_cells: keepsLastGood(plan) })
      : null
  const queries = [
    ...(unchanged === null ? [] : [unchangedQuery(unchanged, gathered)]),
    ...plan.sources.flatMap((source, n) => sourceQueries(source, n, gathered)),
    ...(compared === null ? [] : [compared]),
  ]
  const rows_total = plan.sources.reduce((sum, { row_count }) => sum + row_count, 0)
  const between = async () => {
    const rows_done = gathered.rows.reduce((sum, rows) => sum + rows, 0)
    await spill.flush()
    await context.progress({ phase: 'Reading the sources', rows_done, rows_total })
  }
  await readAll(queries, { pool, context, between, pin: () => pinSources(context, plan) })
  for (const [n, { row_count, name }] of plan.sources.entries())
    if (gathered.rows[n] !== row_count) throw rowsGone(name)
  return { gathered, gone: compared?.gone ?? new RowSet() }
}

const keepsLastGood = ({ judging }: CompilePlan) =>
  judging?.checks.some(({ check }) => check.keep_out === 'last_good') ?? false

type Reader = {
  pool: Pool
  context: RunContext
  between: () => Promise<void>
  pin: () => Promise<void>
}

/** Runs the queries in order. Each starts while the rows of the one before are processed, so two connections are in use. */
async function readAll(queries: readonly RowQuery[], { pool, context, between, pin }: Reader): Promise<void> {
  const blocks = new BlockPool()
  const open = async (next: RowQuery | undefined) => {
    if (next === undefined) return undefined
    await context.assertLease()
    await pin()
    return CopiedRows.open(pool, { query: next.query, settings: READ_BY_KEY, blocks })
  }
  let prefetched = open(queries[0])
  try {
    for (const [n, { take }] of queries.entries()) {
      const rows = await prefetched
      prefetched = open(queries[n + 1])
      prefetched.catch(() => {})
      await rows?.read(take, between, context.signal)
    }
  } finally {
    await prefetched.then(
      (rows) => rows?.close(),
      () => {},
    )
  }
}

/** Protects the source rows from being pruned. A query that has started sees its rows in any case. */
async function pinSources({ db }: RunContext, { sources }: CompilePlan): Promise<void> {
  const [gone] = await pinSnapshots(
    db,
    sources.map(({ snapshot_id }) => snapshot_id),
  )
  if (gone !== undefined) throw rowsGone(sources.find(({ snapshot_id }) => snapshot_id === gone)?.name ?? '')
}

const rowsGone = (name: string) =>
  new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })

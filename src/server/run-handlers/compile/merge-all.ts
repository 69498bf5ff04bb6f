import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { FieldCheck } from '../../../contract/field-checks/field-checks.ts'
import { RunFailure } from '../../engine/types.ts'
import type { CompilePlan } from './rules/compile-plan.ts'
import { Merge } from './rules/merge.ts'
import { copyDisagreements } from './storage/decisions.ts'
import { copyOverrides } from './storage/overrides.ts'
import { PartitionedSpillFile } from './storage/partitioned-spill-file.ts'
import { copyUnchangedRecords } from './storage/previous-records.ts'
import { type CompileInputs, readRows } from './storage/read-rows.ts'
import { RecordWriter } from './storage/record-writer.ts'
import { Totals } from './totals.ts'

/** `folder`: where spill files go; `pool`: connections for bulk rows, of which a compile takes two; `zone`: SCHEDULE_TIME_ZONE. */
export type CompileDeps = { pool: Pool; folder: string; zone: string }

/** The version that a compile writes. */
type Version = {
  snapshot_id: number
  /** All checks of the settings. */
  field_checks: readonly FieldCheck[]
  /** When it began, in PostgreSQL's binary format (eight bytes). */
  now: Buffer
}

/** Records between two yields, about 1 ms: the event loop then sends full batches and serves the worker's other runs. */
const RECORDS_PER_YIELD = 256

/** Reads all sources, merges them, and writes the records of the version. Throws RunFailure if no row has a SKU, or rows were pruned. */
export async function mergeAll(deps: CompileDeps, compile: CompileInputs & Version): Promise<Totals> {
  const { context, plan, unchanged, previous, snapshot_id, now } = compile
  const spill = new PartitionedSpillFile(deps.folder)
  try {
    const same_fields = previous !== null && hasSameFields(previous.fields, plan)
    const { gathered, gone } = await readRows(deps.pool, compile, { spill, same_fields })
    if (gathered.skus.size === 0)
      throw new RunFailure('No source row has a SKU. The previous records are kept.', {
        retryable: false,
      })
    if (unchanged !== null)
      await context.transaction(async (trx) => {
        await copyUnchangedRecords(trx, unchanged, snapshot_id)
        await copyOverrides(trx, unchanged.snapshot_id, snapshot_id)
        await copyDisagreements(trx, unchanged.snapshot_id, snapshot_id)
      })
    const totals = await Totals.after(context.db, unchanged, compile.field_checks)
    totals.gone = gone
    totals.without_sku = gathered.without_sku
    const copied = { skus: gathered.unchanged, rows: totals.records }
    const merge = new Merge(plan, gathered.skus, {
      unchanged: copied,
      same_fields,
      previous_fields: previous?.fields ?? [],
    })
    const [sources, fields] = [plan.numbered.length, plan.fields.length]
    const writer = new RecordWriter(deps.pool, { snapshot_id, now, sources, fields })
    let rows_done = 0
    try {
      for await (const partition of spill.load()) {
        await context.progress({ phase: 'Merging', rows_done, rows_total: gathered.records })
        await context.assertLease()
        for (const record of merge.records(partition)) {
          writer.add(record, gathered.skus)
          totals.add(record)
          rows_done += 1
          if (writer.isLarge) await writer.flush()
          if (rows_done % RECORDS_PER_YIELD === 0) await yieldToEventLoop()
        }
      }
      await writer.close()
      totals.overrides = merge.overrides
      totals.disagreements = merge.disagreements
      // The median of new records alone is not comparable.
      if (unchanged === null) totals.medians = merge.medians
    } catch (error) {
      await writer.abandon()
      throw error
    }
    await context.progress({ rows_done })
    return totals
  } finally {
    await spill.close()
  }
}

const hasSameFields = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields) === JSON.stringify(plan.fields.map(({ name }) => name))

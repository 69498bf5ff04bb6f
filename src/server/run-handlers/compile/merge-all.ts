import { setImmediate as nextTurn } from 'node:timers/promises'
import { RunFailure } from '../../engine/types.ts'
import type { Compile, CompileDeps } from './compile-run.ts'
import type { CompilePlan } from './rules/compile-plan.ts'
import { Merge } from './rules/merge.ts'
import { PartitionedSpillFile } from './storage/partitioned-spill-file.ts'
import { copyUnchangedRecords } from './storage/previous-records.ts'
import { gatherRows } from './storage/read-rows.ts'
import { RecordWriter } from './storage/record-writer.ts'
import { Totals } from './totals.ts'

/** Records that are merged before other work of the process goes on: what is sent to the database leaves then, too. */
const RECORDS_AT_A_TIME = 256

/** Merges all records into a version. Throws RunFailure where no row has a SKU, and where rows are gone. */
export async function mergeAll(deps: CompileDeps, compile: Compile): Promise<Totals> {
  const { context, plan, kept, current, snapshot_id, now } = compile
  const spill = new PartitionedSpillFile(deps.folder)
  try {
    const same_fields = current !== null && isSame(current.fields, plan)
    const { gathered, gone } = await gatherRows(deps.pool, compile, { spill, same_fields })
    if (gathered.skus.size === 0)
      throw new RunFailure('No row of the sources has a SKU. The records of before stay.', {
        retryable: false,
      })
    if (kept !== null) await context.transaction((trx) => copyUnchangedRecords(trx, kept, snapshot_id))
    const totals = await Totals.after(context.db, kept)
    totals.gone = gone
    totals.without_sku = gathered.without_sku
    const stays = { skus: gathered.kept, rows: totals.records }
    const merge = new Merge(plan, gathered.skus, { kept: stays, same_fields })
    const [sources, fields] = [plan.numbered.length, plan.fields.length]
    const writer = new RecordWriter(deps.pool, { snapshot_id, now, sources, fields })
    let rows_done = 0
    try {
      for await (const loaded of spill.load()) {
        await context.progress({ phase: 'Merging', rows_done, rows_total: gathered.records })
        await context.assertLease()
        for (const record of merge.records(loaded)) {
          writer.add(record, gathered.skus)
          totals.add(record)
          rows_done += 1
          if (writer.isLarge) await writer.flush()
          if (rows_done % RECORDS_AT_A_TIME === 0) await nextTurn()
        }
      }
      await writer.close()
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

const isSame = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields) === JSON.stringify(plan.fields.map(({ name }) => name))

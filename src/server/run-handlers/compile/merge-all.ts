import { RunFailure } from '../../engine/types.ts'
import { SnapshotWriter } from '../../snapshots/snapshot-writer.ts'
import type { CompilePlan } from './compile-plan.ts'
import type { Compile, CompileDeps } from './compile-run.ts'
import { gatherRows } from './gather-rows.ts'
import { keepRecords } from './keep-records.ts'
import { Merge } from './merge.ts'
import { RecordWriter } from './record-writer.ts'
import { RowShelf } from './row-shelf.ts'
import { Totals } from './totals.ts'

/** Merges all records into a version. Throws RunFailure where no row has a SKU, and where rows are gone. */
export async function mergeAll(deps: CompileDeps, compile: Compile): Promise<Totals> {
  const { context, plan, kept, current, snapshot_id, now } = compile
  const shelf = new RowShelf(deps.folder)
  try {
    const same_fields = current !== null && isSame(current.fields, plan)
    const { gathered, gone } = await gatherRows(deps.pool, compile, { shelf, same_fields })
    if (gathered.skus.size === 0)
      throw new RunFailure('No row of the sources has a SKU. The records of before stay.', {
        retryable: false,
      })
    if (kept !== null) await context.transaction((trx) => keepRecords(trx, kept, snapshot_id))
    const totals = await Totals.after(context.db, kept)
    totals.gone = gone
    totals.without_sku = gathered.without_sku
    const stays = { skus: gathered.kept, rows: totals.records }
    const merge = new Merge(plan, gathered.skus, { kept: stays, same_fields })
    const rows = new SnapshotWriter(deps.pool, snapshot_id)
    const records = new RecordWriter(deps.pool, { snapshot_id, now })
    let rows_done = 0
    try {
      for await (const loaded of shelf.load()) {
        await context.progress({ phase: 'Merging', rows_done, rows_total: gathered.records })
        await context.assertLease()
        for (const record of merge.records(loaded)) {
          rows.add(record.row_no, record.cells.bytes.subarray(0, record.cells.end))
          records.add(record, gathered.skus)
          totals.add(record)
          rows_done += 1
          if (rows.isLarge) await rows.flush()
          if (records.isLarge) await records.flush()
        }
      }
      await Promise.all([rows.close(), records.close()])
    } catch (error) {
      await Promise.all([rows.abandon(), records.abandon()])
      throw error
    }
    await context.progress({ rows_done })
    return totals
  } finally {
    await shelf.close()
  }
}

const isSame = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields) === JSON.stringify(plan.fields.map(({ name }) => name))

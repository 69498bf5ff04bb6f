import { sql } from 'kysely'
import type { CompileReceipt } from '../../../contract/receipts.ts'
import { type RunContext, RunFailure, type RunHandler, type RunResult } from '../../engine/types.ts'
import type { Trx } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import { countRows } from '../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { beginSnapshot, completeSnapshot } from '../../snapshots/snapshot.ts'
import { count } from '../sentences.ts'
import { CompileDefinition, defineCompiles } from './definition.ts'
import { gatherKeys, mergeSlice, prepareMerge, RECORDS_AT_A_TIME } from './merge.ts'
import { type CompilePlan, mergedVersions, planCompile } from './plan.ts'
import { compiled } from './sentences.ts'
import { type CurrentRecords, readCurrent, takeVersions } from './sources.ts'
import { Totals } from './totals.ts'

/** What a configuration's run does: merges the current rows of its sources into one record per SKU, in the database. */
export const compileHandler: RunHandler = {
  category: 'compiler',
  snapshotDefinition: defineCompiles,
  run: compile,
}

async function compile(context: RunContext): Promise<RunResult> {
  const began = Date.now()
  const { overwrite, sources, config_id } = CompileDefinition.parse(context.run.definition)
  const versions = await takeVersions(context.db, { sources })
  const current = await readCurrent(context.db, context.run.task_id)
  const plan = planCompile(versions, overwrite || current === null ? undefined : current)
  const kept = overwrite ? null : current
  const rows_read = versions.reduce((sum, { row_count }) => sum + row_count, 0)
  await context.log('INFO', `Merging ${count(versions.length, 'source')} of ${count(rows_read, 'row')}.`)
  const { task_id, id: run_id } = context.run
  const snapshot_id = await context.transaction((trx) =>
    beginSnapshot(trx, { task_id, run_id, kind: 'compiled' }),
  )
  const totals = await context.transaction(async (trx) => {
    const merged = await mergeAll({ context, trx, plan, current, kept, snapshot_id })
    await sql`
      insert into compiled_versions (snapshot_id, compiler_config_id, sources, has_blanks, has_errors, is_duplicate,
        rows_read, added, changed, gone, source_versions)
      values (${snapshot_id}, ${config_id}, ${JSON.stringify(plan.numbered)}::jsonb, ${merged.sets.has_blanks},
        ${merged.sets.has_errors}, ${merged.sets.is_duplicate}, ${rows_read}, ${merged.added}, ${merged.changed}, ${merged.gone},
        ${JSON.stringify(mergedVersions(plan))}::jsonb)`.execute(trx)
    await completeSnapshot(trx, snapshot_id, {
      header: ['SKU', ...plan.fields.map(({ name }) => name)],
      formats: [null, ...plan.fields.map(() => null)],
      row_count: merged.counts().records,
      hash: null,
      removed: merged.removed,
    })
    return merged
  })
  const receipt: CompileReceipt = {
    ...totals.counts(),
    fields: plan.fields.length,
    sources: versions.length,
    rows_read,
    duration_ms: Date.now() - began,
  }
  return {
    message: compiled(receipt),
    receipt,
    commit: async (trx) => {
      const before_snapshot_id = current?.version_id ?? null
      await trx
        .updateTable('tasks')
        .set({ snapshot_id, before_snapshot_id })
        .where('id', '=', task_id)
        .execute()
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    },
  }
}

type Merge = {
  context: RunContext
  trx: Trx
  plan: CompilePlan
  current: CurrentRecords | null
  /** Records that stay as they are; null: none. */
  kept: CurrentRecords | null
  snapshot_id: number
}

async function mergeAll({ context, trx, plan, current, kept, snapshot_id }: Merge): Promise<Totals> {
  await prepareMerge(trx)
  await context.progress({ phase: 'Reading the SKUs', rows_done: 0, rows_total: null })
  const { records, without_sku } = await gatherKeys(trx, plan, kept)
  for (const [source, rows] of without_sku.entries())
    if (rows > 0) await warnWithoutSku(context, plan.sources[source]?.name ?? '', rows)
  if (records === 0 && kept === null)
    throw new RunFailure('No row of the sources has a SKU. The records of before stay.', { retryable: false })
  const totals = await Totals.after(trx, kept, snapshot_id)
  const same_fields = current !== null && isSame(['SKU', ...current.fields], plan)
  const before = kept === null && current !== null ? { snapshot_id: current.snapshot_id, same_fields } : null
  const first = totals.records + 1
  for (let done = 0; done < records; done += RECORDS_AT_A_TIME) {
    context.signal.throwIfAborted()
    await keepSources(context, plan)
    await context.progress({ phase: 'Merging', rows_done: done, rows_total: records })
    const slice = { first: first + done, count: Math.min(RECORDS_AT_A_TIME, records - done) }
    totals.add(await mergeSlice(trx, plan, { into: snapshot_id, before, ...slice }), slice.count)
  }
  totals.gone =
    before === null || current === null
      ? 0
      : current.records - countRows(current.removed) - (totals.records - totals.added)
  return totals
}

// Rows that are gone would come to blanks.
async function keepSources({ db }: RunContext, { sources }: CompilePlan): Promise<void> {
  for (const { snapshot_id, name } of sources)
    if (!(await pinSnapshot(db, snapshot_id)))
      throw new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })
}

const isSame = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields.slice(1)) === JSON.stringify(plan.fields.map(({ name }) => name))

const warnWithoutSku = (context: RunContext, name: string, rows: number) =>
  context.warn({
    kind: 'without_sku',
    subject: `${name} ${rows}`,
    message: `${count(rows, 'row')} of ‘${name}’ without a SKU ${rows === 1 ? 'was' : 'were'} left out.`,
  })

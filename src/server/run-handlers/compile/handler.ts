import { sql } from 'kysely'
import type { CompileReceipt } from '../../../contract/receipts.ts'
import { type RunContext, RunFailure, type RunHandler, type RunResult } from '../../engine/types.ts'
import { notify } from '../../platform/notify.ts'
import { countRows } from '../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { beginSnapshot, completeSnapshot } from '../../snapshots/snapshot.ts'
import { count } from '../sentences.ts'
import type { CompilePlan } from './compile-plan.ts'
import { CompileDefinition, defineCompiles } from './definition.ts'
import { dropKeys, gatherKeys } from './keys.ts'
import { mergePart, prepareMerge } from './merge.ts'
import { mergedVersions, planCompile } from './plan.ts'
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
  const { overwrite, sources, config_id, settings } = CompileDefinition.parse(context.run.definition)
  const versions = await takeVersions(context.db, { sources, config_id })
  const current = await readCurrent(context.db, context.run.task_id)
  const plan = planCompile(versions, settings, overwrite || current === null ? undefined : current)
  const kept = overwrite ? null : current
  const rows_read = versions.reduce((sum, { row_count }) => sum + row_count, 0)
  await context.log('INFO', `Merging ${count(versions.length, 'source')} of ${count(rows_read, 'row')}.`)
  for (const message of plan.warnings)
    await context.warn({ kind: 'merge_setting', subject: message, message })
  const { task_id, id: run_id } = context.run
  const snapshot_id = await context.transaction((trx) =>
    beginSnapshot(trx, { task_id, run_id, kind: 'compiled' }),
  )
  const totals = await mergeAll({ context, plan, current, kept, snapshot_id })
  await context.transaction(async (trx) => {
    await sql`
      insert into compiled_versions (snapshot_id, compiler_config_id, sources, has_blanks, has_errors, is_duplicate,
        rows_read, added, changed, gone, source_versions, required_fields)
      values (${snapshot_id}, ${config_id}, ${JSON.stringify(plan.numbered)}::jsonb, ${totals.sets.has_blanks},
        ${totals.sets.has_errors}, ${totals.sets.is_duplicate}, ${rows_read}, ${totals.added}, ${totals.changed}, ${totals.gone},
        ${JSON.stringify(mergedVersions(plan))}::jsonb, ${JSON.stringify(settings.required_fields)}::jsonb)`.execute(
      trx,
    )
    await completeSnapshot(trx, snapshot_id, {
      header: ['SKU', ...plan.fields.map(({ name }) => name)],
      formats: [null, ...plan.fields.map(() => null)],
      row_count: totals.counts().records,
      hash: null,
      removed: totals.removed,
    })
    await dropKeys(trx, snapshot_id)
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
  plan: CompilePlan
  current: CurrentRecords | null
  /** Records that stay as they are; null: none. */
  kept: CurrentRecords | null
  snapshot_id: number
}

async function mergeAll({ context, plan, current, kept, snapshot_id }: Merge): Promise<Totals> {
  await context.progress({ phase: 'Reading the SKUs', rows_done: 0, rows_total: null })
  const { records, without_sku } = await context.transaction(async (trx) => {
    await prepareMerge(trx, plan)
    return gatherKeys(trx, plan, { into: snapshot_id, after: kept })
  })
  for (const [source, rows] of without_sku.entries())
    if (rows > 0) await warnWithoutSku(context, plan.sources[source]?.name ?? '', rows)
  if (records === 0 && kept === null)
    throw new RunFailure('No row of the sources has a SKU. The records of before stay.', { retryable: false })
  const totals = await context.transaction((trx) => Totals.after(trx, kept, snapshot_id))
  const before =
    kept === null && current !== null ? { ...current, same_fields: isSame(current.fields, plan) } : null
  await keepSources(context, plan)
  await context.progress({ phase: 'Merging', rows_done: 0, rows_total: records })
  const parts = halves(totals.records + 1, records).map((half) => ({ into: snapshot_id, before, ...half }))
  let rows_done = 0
  const merging = parts.map(async (part) => {
    const flags = await context.transaction(async (trx) => {
      await prepareMerge(trx, plan)
      return mergePart(trx, plan, part)
    })
    rows_done += part.count
    await context.progress({ phase: 'Merging', rows_done, rows_total: records })
    return flags
  })
  // Both have ended, whatever becomes of them.
  await Promise.allSettled(merging)
  for (const [n, flags] of (await Promise.all(merging)).entries()) totals.add(flags, parts[n]?.count ?? 0)
  if (before !== null)
    totals.gone = before.records - countRows(before.removed) - (totals.records - totals.added)
  return totals
}

// Two connections merge at once. The first half ends with a whole byte of flags.
function halves(first: number, count: number): { first: number; count: number }[] {
  const half = Math.min(count, Math.ceil(count / 16) * 8)
  return [
    { first, count: half },
    { first: first + half, count: count - half },
  ].filter((part) => part.count > 0)
}

// Rows that are gone would come to blanks. What a statement has begun to read stays.
async function keepSources({ db }: RunContext, { sources }: CompilePlan): Promise<void> {
  for (const { snapshot_id, name } of sources)
    if (!(await pinSnapshot(db, snapshot_id)))
      throw new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })
}

const isSame = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields) === JSON.stringify(plan.fields.map(({ name }) => name))

const warnWithoutSku = (context: RunContext, name: string, rows: number) =>
  context.warn({
    kind: 'without_sku',
    subject: `${name} ${rows}`,
    message: `${count(rows, 'row')} of ‘${name}’ without a SKU ${rows === 1 ? 'was' : 'were'} left out.`,
  })

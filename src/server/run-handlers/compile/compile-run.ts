import { sql } from 'kysely'
import type { CompileReceipt } from '../../../contract/runs/receipts.ts'
import type { RunContext, RunResult } from '../../engine/types.ts'
import type { Trx } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import { beginSnapshot, completeSnapshot } from '../../snapshots/snapshot.ts'
import { count } from '../messages.ts'
import { CompileDefinition } from './definition.ts'
import { type CompileDeps, mergeAll } from './merge-all.ts'
import { formatReceipt } from './messages.ts'
import { mergedVersions, planCompile } from './rules/plan.ts'
import { isSameMerge, mergedFrom } from './rules/same-merge.ts'
import { takeVersions } from './source-versions.ts'
import { type PreviousRecords, readPrevious } from './storage/previous-records.ts'
import { Totals } from './totals.ts'

/** Compiled numbers are shown as their source shows them (FieldFormats), so the snapshot itself has no formats. */
const NO_FORMATS = new TableFormats([])

/** Merges the current rows of a configuration's sources into a new version. Throws RunFailure, or the reason of the signal. */
export async function compile(deps: CompileDeps, context: RunContext): Promise<RunResult> {
  const started_at = Date.now()
  const { overwrite, sources, config_id, settings } = CompileDefinition.parse(context.run.definition)
  const versions = await takeVersions(context.db, { sources, config_id })
  const previous = await readPrevious(context.db, context.run.task_id)
  const unchanged = overwrite ? null : previous
  const plan = planCompile(versions, settings, unchanged ?? undefined)
  const rows_read = versions.reduce((sum, { row_count }) => sum + row_count, 0)
  await context.log('INFO', `Merging ${count(versions.length, 'source')} of ${count(rows_read, 'row')}.`)
  for (const message of plan.warnings)
    await context.warn({ kind: 'merge_setting', subject: message, message })

  const { task_id, id: run_id } = context.run
  const { snapshot_id, now } = await context.transaction(async (trx) => {
    const id = await beginSnapshot(trx, { task_id, run_id, kind: 'compiled' })
    return { snapshot_id: id, now: await startOf(trx, id) }
  })
  const same = overwrite && previous !== null && isSameMerge(previous, plan) ? previous : null
  const totals =
    same === null
      ? await mergeAll(deps, { context, plan, previous, unchanged, snapshot_id, now })
      : await shareRecords(context, same)
  for (const [source, rows] of totals.without_sku.entries())
    if (rows > 0) await warnWithoutSku(context, plan.sources[source]?.name ?? '', rows)

  await context.transaction(async (trx) => {
    await sql`
      insert into compiled_versions (snapshot_id, compiler_config_id, sources, has_blanks, has_errors, is_duplicate,
        rows_read, added, changed, gone, added_rows, changed_rows, gone_rows, source_versions, required_fields, merged_from, without_sku)
      values (${snapshot_id}, ${config_id}, ${JSON.stringify(plan.numbered)}::jsonb, ${totals.sets.has_blanks},
        ${totals.sets.has_errors}, ${totals.sets.is_duplicate}, ${rows_read}, ${totals.added.size}, ${totals.changed.size}, ${totals.gone.size},
        ${totals.added.bits}, ${totals.changed.bits}, ${totals.gone.bits}, ${JSON.stringify(mergedVersions(plan))}::jsonb, ${JSON.stringify(settings.required_fields)}::jsonb,
        ${overwrite ? mergedFrom(plan) : null}, ${totals.without_sku})`.execute(trx)
    await completeSnapshot(trx, snapshot_id, {
      header: ['SKU', ...plan.fields.map(({ name }) => name)],
      formats: NO_FORMATS,
      row_count: totals.counts().records,
      hash: null,
      removed: totals.removed,
      rows_of: same?.snapshot_id ?? null,
    })
  })
  const receipt: CompileReceipt = {
    ...totals.counts(),
    fields: plan.fields.length,
    sources: versions.length,
    rows_read,
    duration_ms: Date.now() - started_at,
  }
  return {
    message: formatReceipt(receipt),
    receipt,
    commit: async (trx) => {
      await trx
        .updateTable('tasks')
        .set({ snapshot_id, before_snapshot_id: previous?.version_id ?? null })
        .where('id', '=', task_id)
        .execute()
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    },
  }
}

/** Nothing that the records depend on has changed, so the new version shares the previous version's rows. */
async function shareRecords(context: RunContext, previous: PreviousRecords): Promise<Totals> {
  await context.log('INFO', 'No source and no setting has changed since the last compile: its records stay.')
  const totals = await Totals.after(context.db, previous)
  totals.without_sku = previous.without_sku
  return totals
}

const warnWithoutSku = (context: RunContext, name: string, rows: number) =>
  context.warn({
    kind: 'without_sku',
    subject: `${name} ${rows}`,
    message: `${count(rows, 'row')} of ‘${name}’ without a SKU ${rows === 1 ? 'was' : 'were'} left out.`,
  })

/** When a snapshot began, in PostgreSQL's binary format: microseconds since 2000. */
async function startOf(trx: Trx, snapshot_id: number): Promise<Buffer> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select timestamptz_send(created_at) as bytes from snapshots where id = ${snapshot_id}`.execute(trx)
  const [began] = rows
  if (began === undefined) throw new Error(`Snapshot ${snapshot_id} is gone.`)
  return began.bytes
}

import { sql } from 'kysely'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'
import type { FieldCheck } from '../../../contract/field-checks/field-checks.ts'
import { hasMoved } from '../../../contract/field-checks/field-rules.ts'
import type { CompileReceipt } from '../../../contract/runs/receipts.ts'
import type { RunContext, RunResult } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import { completenessTargets, measureCompleteness, requiredFields } from '../../snapshots/completeness.ts'
import { beginSnapshot, completeSnapshot } from '../../snapshots/snapshot.ts'
import { count } from '../messages.ts'
import { CompileDefinition } from './definition.ts'
import { type CompileDeps, mergeAll } from './merge-all.ts'
import { formatReceipt } from './messages.ts'
import { mergedVersions, planCompile } from './rules/plan.ts'
import { isSameMerge, mergeInputHash } from './rules/same-merge.ts'
import { takeVersions } from './source-versions.ts'
import { warnOfStale } from './stale-sources.ts'
import { readCheckLists } from './storage/check-lists.ts'
import { readDecisions, writeDisagreements } from './storage/decisions.ts'
import { readFailures, writeFailures } from './storage/failures.ts'
import { endExpired, readOverrides, settleOverrides, writeOverrides } from './storage/overrides.ts'
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
  const { field_checks, approval_percent, stale_days } = settings
  const lists = await readCheckLists(context.db, field_checks)
  const overrides = await readOverrides(context.db, { config_id, zone: deps.zone })
  const decisions = await readDecisions(context.db, config_id)
  const plan = planCompile(versions, settings, unchanged ?? undefined, lists, overrides.live, decisions)
  const rows_read = versions.reduce((sum, { row_count }) => sum + row_count, 0)
  await context.log('INFO', `Merging ${count(versions.length, 'source')} of ${count(rows_read, 'row')}.`)
  for (const warning of plan.warnings) await context.warn({ kind: 'merge_setting', ...warning })

  await warnOfStale(context, sources, stale_days)

  const { task_id, id: run_id } = context.run
  const { snapshot_id, now } = await context.transaction(async (trx) => {
    const id = await beginSnapshot(trx, { task_id, run_id, kind: 'compiled' })
    return { snapshot_id: id, now: await startOf(trx, id) }
  })
  const same = overwrite && previous !== null && isSameMerge(previous, plan) ? previous : null
  const totals =
    same === null
      ? await mergeAll(deps, { context, plan, previous, unchanged, snapshot_id, now, field_checks })
      : await shareRecords(context, same, field_checks)
  for (const [source, rows] of totals.without_sku.entries())
    if (rows > 0) await warnWithoutSku(context, plan.sources[source]?.name ?? '', rows)
  if (previous !== null) await warnOfMedians(context, previous, { field_checks, medians: totals.medians })

  const waits = await needsApproval(context, previous, { totals, approval_percent })

  await context.transaction(async (trx) => {
    await sql`
      insert into compiled_versions (snapshot_id, compiler_config_id, sources, has_blanks, has_errors, is_duplicate,
        rows_read, added, changed, gone, added_rows, changed_rows, gone_rows, source_versions, required_fields, merged_from, without_sku, field_checks)
      values (${snapshot_id}, ${config_id}, ${JSON.stringify(plan.numbered)}::jsonb, ${totals.sets.has_blanks},
        ${totals.sets.has_errors}, ${totals.sets.is_duplicate}, ${rows_read}, ${totals.added.size}, ${totals.changed.size}, ${totals.gone.size},
        ${totals.added.bits}, ${totals.changed.bits}, ${totals.gone.bits}, ${JSON.stringify(mergedVersions(plan))}::jsonb, ${JSON.stringify(settings.required_fields)}::jsonb,
        ${overwrite ? mergeInputHash(plan) : null}, ${totals.without_sku}, ${JSON.stringify(field_checks)}::jsonb)`.execute(
      trx,
    )
    const { failures, medians, records } = totals
    await writeOverrides(trx, snapshot_id, totals.overrides)
    await writeDisagreements(trx, snapshot_id, totals.disagreements)
    await writeFailures(trx, snapshot_id, { checks: field_checks, failures, medians, records })
    await completeSnapshot(trx, snapshot_id, {
      header: ['SKU', ...plan.fields.map(({ name }) => name)],
      formats: NO_FORMATS,
      row_count: totals.counts().records,
      hash: null,
      removed: totals.removed,
      rows_of: same?.snapshot_id ?? null,
    })
  })
  const counts = totals.counts()
  const complete = await countComplete(context.db, config_id, {
    ...{ snapshot_id, rows_of: same?.snapshot_id ?? snapshot_id, removed: totals.removed },
    ...{ row_count: counts.records, fields: plan.fields.map(({ name }) => name) },
  })
  const receipt: CompileReceipt = {
    ...counts,
    ...(complete && { complete }),
    ...(waits && { waits }),
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
        .set(
          waits
            ? { waiting_snapshot_id: snapshot_id }
            : { snapshot_id, before_snapshot_id: previous?.version_id ?? null, waiting_snapshot_id: null },
        )
        .where('id', '=', task_id)
        .execute()
      // Overrides are settled by what is current. If the records are shared, their compile has found the same about these overrides.
      if (same === null && !waits)
        await settleOverrides(trx, { ...overrides, plan, findings: totals.overrides, overwrite })
      // Records that are not overwritten keep the values of overrides that are over.
      if (overwrite && !waits) await endExpired(trx, overrides.expired)
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    },
  }
}

/** Records that have all fields that a target needs, by its task; undefined: there is no such target. */
async function countComplete(
  db: Db,
  config_id: number,
  version: Parameters<typeof measureCompleteness>[1],
): Promise<Record<string, number> | undefined> {
  const targets = await completenessTargets(db, config_id)
  if (targets.length === 0) return undefined
  const needed = targets.map((target) => requiredFields(version.fields, target))
  const measured = await measureCompleteness(db, version, needed)
  return Object.fromEntries(targets.map(({ task_id }, n) => [task_id, measured[n]?.complete ?? 0]))
}

/** Whether the compile changes or removes too many records to become current without an approval; warns if it does. */
async function needsApproval(
  context: RunContext,
  previous: PreviousRecords | null,
  { totals, approval_percent }: { totals: Totals; approval_percent: number | null },
): Promise<boolean> {
  if (previous === null || approval_percent === null) return false
  const [changed, gone] = [totals.changed.size, totals.gone.size]
  if ((changed + gone) * 100 <= previous.records * approval_percent) return false
  await context.warn({
    kind: 'held_back',
    subject: `compile ${context.run.id}`,
    message: compilerServerMessages.compile_waits(changed, gone, previous.records, approval_percent),
  })
  return true
}

/** Nothing that the records depend on has changed, so the new version shares the previous version's rows. */
async function shareRecords(
  context: RunContext,
  previous: PreviousRecords,
  field_checks: readonly FieldCheck[],
): Promise<Totals> {
  await context.log('INFO', 'Sources and settings are unchanged. The previous records are kept.')
  const totals = await Totals.after(context.db, previous, field_checks)
  totals.without_sku = previous.without_sku
  return totals
}

const warnWithoutSku = (context: RunContext, name: string, rows: number) =>
  context.warn({
    kind: 'without_sku',
    subject: `${name} ${rows}`,
    message: `${count(rows, 'row')} of ‘${name}’ without a SKU ${rows === 1 ? 'was' : 'were'} left out.`,
  })

/** Warns of medians that have moved too far since the previous version. */
async function warnOfMedians(
  context: RunContext,
  { version_id }: PreviousRecords,
  { field_checks, medians }: { field_checks: readonly FieldCheck[]; medians: Totals['medians'] },
): Promise<void> {
  const { medians: former } = await readFailures(context.db, version_id, field_checks)
  for (const [check_no, after] of medians) {
    const check = field_checks[check_no]
    const before = former.get(check_no) ?? null
    if (check?.kind === 'median' && hasMoved(before, after, check.percent))
      await context.warn({
        kind: 'median',
        subject: check.field,
        message: compilerServerMessages.median_moved(check.field, before, after),
      })
  }
}

/** When a snapshot began, in PostgreSQL's binary format: microseconds since 2000. */
async function startOf(trx: Trx, snapshot_id: number): Promise<Buffer> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select timestamptz_send(created_at) as bytes from snapshots where id = ${snapshot_id}`.execute(trx)
  const [began] = rows
  if (began === undefined) throw new Error(`Snapshot ${snapshot_id} is gone.`)
  return began.bytes
}

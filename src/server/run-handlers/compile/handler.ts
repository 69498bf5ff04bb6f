import { sql } from 'kysely'
import type { CompileReceipt } from '../../../contract/receipts.ts'
import type { RunContext, RunHandler, RunResult } from '../../engine/types.ts'
import { notify } from '../../platform/notify.ts'
import { beginSnapshot, completeSnapshot } from '../../snapshots/snapshot.ts'
import { count } from '../sentences.ts'
import { CompileDefinition, defineCompiles } from './definition.ts'
import { dropKeys } from './keys.ts'
import { mergeAll } from './merge-all.ts'
import { mergedVersions, planCompile } from './plan.ts'
import { compiled } from './sentences.ts'
import { readCurrent, takeVersions } from './sources.ts'

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

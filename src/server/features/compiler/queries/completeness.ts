import type { TargetCompleteness } from '../../../../contract/completeness/calls.ts'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import {
  type CompletenessTarget,
  completenessTargets,
  measureCompleteness,
  requiredFields,
} from '../../../snapshots/completeness.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'
import { lastCompiles } from './last-compiles.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

/** Completeness by target. Throws NamedError `compiler_task_not_found`. */
export async function readCompleteness(db: Db, config_id: number | undefined): Promise<TargetCompleteness[]> {
  if (config_id !== undefined) await taskOfConfig(db, config_id)
  const targets = await completenessTargets(db, config_id ?? null)
  const measured: TargetCompleteness[] = []
  for (const [id, own] of Map.groupBy(targets, ({ compiler_config_id }) => compiler_config_id))
    measured.push(...(await ofConfig(db, id, own)))
  return measured
}

async function ofConfig(
  db: Db,
  id: number,
  targets: readonly CompletenessTarget[],
): Promise<TargetCompleteness[]> {
  const version = await readCompiled(db, id)
  const config = await db
    .selectFrom('compiler_configs as c')
    .innerJoin('tasks as t', 't.id', 'c.task_id')
    .select(['t.id', 't.name'])
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
  const compiles = await lastCompiles(db, config.id)
  const needed = targets.map((target) => requiredFields(version?.fields ?? [], target))
  const found = version === null ? [] : await measureCompleteness(db, version, needed)
  return targets.map(({ task_id, name, only_complete, compiler_config_id }, n) => ({
    ...{ compiler_config_id, config_name: config.name, task_id, name, only_complete },
    fields: needed[n] ?? [],
    records: version?.row_count ?? 0,
    complete: found[n]?.complete ?? 0,
    missing: found[n]?.missing ?? [],
    trend: compiles.flatMap(({ run_id, compiled_at, receipt: { records, complete } }) => {
      const count = complete?.[task_id]
      return count === undefined ? [] : [{ run_id, compiled_at, records, complete: count }]
    }),
  }))
}

/** Records of a version that lack a field that a sync task needs. A task that does not measure it has none. */
export async function incompleteSet(db: Db, version: CompiledVersion, task_id: number): Promise<BitSet> {
  const targets = await completenessTargets(db, version.compiler_config_id)
  const target = targets.find((one) => one.task_id === task_id)
  if (target === undefined) return new Uint8Array()
  const [measured] = await measureCompleteness(db, version, [requiredFields(version.fields, target)])
  return measured?.incomplete ?? new Uint8Array()
}

/** For each target the fields that a record lacks. */
export async function lackingFields(
  db: Db,
  version: CompiledVersion,
  isBlank: (field: string) => boolean,
): Promise<{ task_id: number; name: string; missing: string[] }[]> {
  const targets = await completenessTargets(db, version.compiler_config_id)
  return targets.map((target) => ({
    task_id: target.task_id,
    name: target.name,
    missing: requiredFields(version.fields, target).filter(isBlank),
  }))
}

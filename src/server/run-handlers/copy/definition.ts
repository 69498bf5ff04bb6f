import { sql } from 'kysely'
import { z } from 'zod'
import { ofNumber } from '../../connectors/table-provider.ts'
import type { RunHandler } from '../../engine/types.ts'

const Own = z.object({
  source_type: z.enum(['sheet', 'internal']),
  /** Provider of the source; not used when the source is internal. */
  source_provider: z.string(),
  source_ss_id: z.string(),
  source_sheet_name: z.string(),
  /** The provider's id of the tab; null until a run has opened it. */
  source_place: z.string().nullable(),
  /** Task of the compiler configuration whose records an internal source reads. */
  source_task_id: z.int().nullable().default(null),
  target_provider: z.string(),
  target_ss_id: z.string(),
  target_sheet_name: z.string(),
  target_place: z.string().nullable(),
  chunk_size: z.int().min(1),
  /** The header row in source and target, counted from 1. */
  start_row: z.int().min(1),
  excluded_fields: z.array(z.string()),
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
  owned_columns: z.int(),
  /** Snapshot of the last successful run. */
  snapshot_id: z.int().nullable(),
  /** Hash of the unowned cells that this run is allowed to overwrite; null: none. */
  replace: z.string().nullable().default(null),
})

// Earlier releases supported one provider and queued runs with its numeric tab ids.
const Numbered = z
  .object({
    source_sheet_id: z.int().nullable(),
    target_sheet_id: z.int().nullable(),
    target_place: z.never().optional(),
  })
  .transform(({ source_sheet_id, target_sheet_id }) => {
    const [source, target] = [ofNumber(source_sheet_id), ofNumber(target_sheet_id)]
    return {
      source_provider: source.provider,
      source_place: source.place,
      target_provider: target.provider,
      target_place: target.place,
    }
  })

/** Settings of a sync task, frozen when its run was queued. */
export const Definition = z.preprocess((stored) => {
  const numbered = Numbered.safeParse(stored)
  return numbered.success ? { ...(stored as object), ...numbered.data } : stored
}, Own)
export type Definition = z.infer<typeof Own>

/** Lock key: only one run at a time may write to a tab. */
export const targetKey = (spreadsheet_id: string, place: string) => `sheet ${spreadsheet_id} ${place}`

/** Whether source and target are tables of one spreadsheet. */
export const isSameSpreadsheet = (definition: Definition): boolean =>
  definition.source_provider === definition.target_provider &&
  definition.source_ss_id === definition.target_ss_id

/** Reads the definitions of sync tasks. A target tab that no run has opened yet is locked by its name. */
export const snapshotDefinition: RunHandler['snapshotDefinition'] = async (trx, task_ids) => {
  const tasks = await trx
    .selectFrom('sync_tasks')
    .innerJoin('tasks', 'tasks.id', 'sync_tasks.task_id')
    .leftJoin('compiler_configs', 'compiler_configs.id', 'sync_tasks.source_compiler_config_id')
    .leftJoin('sync_presets', 'sync_presets.id', 'sync_tasks.sync_preset_id')
    .select([
      'sync_tasks.task_id',
      'source_type',
      'source_ss_id',
      'source_sheet_name',
      'source_provider',
      'source_place',
      'source_sheet_id',
      'compiler_configs.task_id as source_task_id',
      'target_ss_id',
      'target_sheet_name',
      'target_provider',
      'target_place',
      'target_sheet_id',
      'tasks.chunk_size',
      'start_row',
      'tasks.relevant_user_accounts',
      'owned_columns',
      'tasks.account_user_id',
      'tasks.snapshot_id',
      'sync_presets.excluded_fields as preset_fields',
    ])
    .where(sql<boolean>`sync_tasks.task_id = any (${[...task_ids]}::int[])`)
    .execute()
  return new Map(
    tasks.map(({ task_id, preset_fields, ...task }) => {
      // The numeric tab ids stay in the definition for workers of the previous release.
      const definition = { ...task, excluded_fields: preset_fields ?? [], replace: null }
      return [task_id, { definition, exclusive_key: keyOf(definition) }]
    }),
  )
}

const keyOf = ({ target_ss_id, target_place, target_sheet_name }: Definition) =>
  target_place === null
    ? `sheet ${target_ss_id} ‘${target_sheet_name.toLowerCase()}’`
    : targetKey(target_ss_id, target_place)

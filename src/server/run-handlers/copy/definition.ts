import { sql } from 'kysely'
import { z } from 'zod'
import type { RunHandler } from '../../engine/types.ts'

/** What a sync task copies and how, frozen when its run was queued. */
export const Definition = z.object({
  source_type: z.enum(['sheet', 'internal']),
  source_ss_id: z.string(),
  source_sheet_name: z.string(),
  source_sheet_id: z.int().nullable(),
  /** The compiler configuration's task, whose records an internal source reads. */
  source_task_id: z.int().nullable().default(null),
  target_ss_id: z.string(),
  target_sheet_name: z.string(),
  target_sheet_id: z.int().nullable(),
  chunk_size: z.int().min(1),
  /** The header row in source and target, counted from 1. */
  start_row: z.int().min(1),
  excluded_fields: z.array(z.string()),
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
  owned_columns: z.int(),
  /** The snapshot of the last run that went well. */
  snapshot_id: z.int().nullable(),
  /** Hash of cells of somebody else's that this one run may write over; null: none. */
  replace: z.string().nullable().default(null),
})
export type Definition = z.infer<typeof Definition>

/** The key under which only one run at a time may write to a tab. */
export const targetKey = (spreadsheetId: string, sheetId: number) => `sheet ${spreadsheetId} ${sheetId}`

/** Reads the definitions of sync tasks. A target tab that no run has seen yet is claimed by its name. */
export const defineCopies: RunHandler['snapshotDefinition'] = async (trx, task_ids) => {
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
      'source_sheet_id',
      'compiler_configs.task_id as source_task_id',
      'target_ss_id',
      'target_sheet_name',
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
      const definition: Definition = { ...task, excluded_fields: preset_fields ?? [], replace: null }
      return [task_id, { definition, exclusive_key: keyOf(definition) }]
    }),
  )
}

const keyOf = ({ target_ss_id, target_sheet_id, target_sheet_name }: Definition) =>
  target_sheet_id === null
    ? `sheet ${target_ss_id} ‘${target_sheet_name.toLowerCase()}’`
    : targetKey(target_ss_id, target_sheet_id)

import { sql } from 'kysely'
import { z } from 'zod'
import { RowSettings, wholeTable } from '../../../contract/rows/row-settings.ts'
import { replacedTable, WriteSettings } from '../../../contract/rows/write-settings.ts'
import { EffectiveLimits, effectiveLimits, RunLimits } from '../../../contract/run-limits/calls.ts'
import type { Row } from '../../../contract/tables.ts'
import { ofNumber } from '../../connectors/table-provider.ts'
import type { RunHandler } from '../../engine/types.ts'
import { readLimitDefaults } from '../../plans/limit-defaults.ts'
import type { Trx } from '../../platform/db.ts'
import type { UsedSpreadsheet } from '../needed-mounts.ts'

/** A source behind the first one, as a run finds it. */
const Further = z.object({
  source_type: z.enum(['sheet', 'internal']),
  source_provider: z.string(),
  source_ss_id: z.string(),
  source_sheet_name: z.string(),
  source_place: z.string().nullable(),
  source_task_id: z.int().nullable(),
  source_name: z.string(),
})

const Own = z.object({
  source_type: z.enum(['sheet', 'internal']),
  /** Provider of the source; not used when the source is internal. */
  source_provider: z.string(),
  source_ss_id: z.string(),
  source_sheet_name: z.string(),
  /** The provider's id of the tab, elsewhere called `tab_id`; null until a run has opened it. Stored under this name. */
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
  /** Name of the compiler configuration of an internal source; blank: none. */
  source_name: z.string().default(''),
  further_sources: z.array(Further).default([]),
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
  owned_columns: z.int(),
  /** Snapshot of the last successful run. */
  snapshot_id: z.int().nullable(),
  /** Hash of the unowned cells that this run is allowed to overwrite; null: none. */
  replace: z.string().nullable().default(null),
  /** The run only makes a plan. */
  preview: z.boolean().default(false),
  /** Id of the plan whose rows the run writes instead of the source's; null: none. */
  plan: z.int().nullable().default(null),
  ...RowSettings.shape,
  ...WriteSettings.shape,
  /** What the run may remove, empty and change; null: queued by an earlier release, without limits. */
  limits: z.nullable(EffectiveLimits).default(null),
  /**
   * The version whose rows a preview takes instead of the source's: what the target held before (`former`) or after (`wanted`) the plan was
   * written. `overwrite_edits`: also where cells were edited since. Null: none.
   */
  version: z
    .object({ plan_id: z.int(), side: z.enum(['former', 'wanted']), overwrite_edits: z.boolean() })
    .nullable()
    .default(null),
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
  // Earlier releases copied whole tables and replaced the target's.
  const defaults = { ...wholeTable, ...replacedTable, on_cells_beside: null }
  return { ...defaults, ...(stored as object), ...(numbered.success && numbered.data) }
}, Own)
export type Definition = z.infer<typeof Own>

// Earlier releases stored these, too.
const FORMER_MEMBERS = ['source_sheet_id', 'target_sheet_id', 'source_compiler_config_id', 'task_id']
const MEMBERS = new Set([...Object.keys(Own.shape), ...FORMER_MEMBERS])

/** Settings of a stored definition that this release does not know, so that a newer one must have queued the run. */
export const unknownMembers = (stored: unknown): string[] =>
  Object.keys(z.looseObject({}).parse(stored)).filter((name) => !MEMBERS.has(name))

/** The spreadsheets of a definition. */
export function usedSpreadsheets(stored: object): UsedSpreadsheet[] {
  const { target_provider, target_ss_id, ...first } = Definition.parse(stored)
  const sources = [first, ...first.further_sources].filter(({ source_type }) => source_type === 'sheet')
  return [
    ...sources.map((one) => ({ provider: one.source_provider, spreadsheet_id: one.source_ss_id })),
    { provider: target_provider, spreadsheet_id: target_ss_id },
  ]
}

/** Lock key: only one run at a time may write to a tab. */
export const targetKey = (spreadsheet_id: string, place: string) => `sheet ${spreadsheet_id} ${place}`

/** Whether the rows that a run writes depend on those of the target. */
export const isArranged = ({ write_mode, find_columns_by_header }: Definition): boolean =>
  write_mode !== 'replace' || find_columns_by_header

/** Whether source and target are tables of one spreadsheet. */
export const isSameSpreadsheet = (
  definition: Pick<Definition, 'source_provider' | 'source_ss_id' | 'target_provider' | 'target_ss_id'>,
): boolean =>
  definition.source_provider === definition.target_provider &&
  definition.source_ss_id === definition.target_ss_id

const SETTINGS = Object.keys({ ...wholeTable, ...replacedTable }) as (keyof (RowSettings & WriteSettings))[]

/** Reads the definitions of sync tasks. A target tab that no run has opened yet is locked by its name. */
export const snapshotDefinition: RunHandler['snapshotDefinition'] = async (trx, task_ids) => {
  const tasks = await trx
    .selectFrom('sync_tasks')
    .innerJoin('tasks', 'tasks.id', 'sync_tasks.task_id')
    .leftJoin('compiler_configs', 'compiler_configs.id', 'sync_tasks.source_compiler_config_id')
    .leftJoin('tasks as config', 'config.id', 'compiler_configs.task_id')
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
      'config.name as config_name',
      ...SETTINGS,
      'sync_tasks.limits',
    ])
    .where(sql<boolean>`sync_tasks.task_id = any (${[...task_ids]}::int[])`)
    .execute()
  const defaults = await readLimitDefaults(trx)
  const further = await furtherSources(trx, task_ids)
  return new Map(
    tasks.map(({ task_id, preset_fields, config_name, limits, ...task }) => {
      // The numeric tab ids stay in the definition for workers of the previous release.
      const definition = {
        ...task,
        ...RowSettings.parse(task),
        ...WriteSettings.parse(task),
        excluded_fields: preset_fields ?? [],
        source_name: config_name ?? '',
        further_sources: further.get(task_id) ?? [],
        replace: null,
        preview: false,
        plan: null,
        limits: effectiveLimits(RunLimits.parse(limits), defaults),
        version: null,
      }
      return [task_id, { definition, exclusive_key: keyOf(definition) }]
    }),
  )
}

async function furtherSources(
  trx: Trx,
  task_ids: readonly number[],
): Promise<Map<number, z.infer<typeof Further>[]>> {
  const sources = await trx
    .selectFrom('further_sources')
    .leftJoin('compiler_configs', 'compiler_configs.id', 'further_sources.source_compiler_config_id')
    .leftJoin('tasks as config', 'config.id', 'compiler_configs.task_id')
    .select([
      'further_sources.task_id',
      'source_type',
      'source_provider',
      'source_ss_id',
      'source_sheet_name',
    ])
    .select(['source_place', 'config.id as source_task_id', 'config.name as config_name'])
    .where(sql<boolean>`further_sources.task_id = any (${[...task_ids]}::int[])`)
    .orderBy('place')
    .execute()
  const byTask = new Map<number, z.infer<typeof Further>[]>()
  for (const { task_id, config_name, ...source } of sources)
    byTask.set(task_id, [...(byTask.get(task_id) ?? []), { ...source, source_name: config_name ?? '' }])
  return byTask
}

/** A split task locks its whole spreadsheet, as `WHOLE` of the engine says. */
const keyOf = ({ target_ss_id, target_place, target_sheet_name, split_by }: Definition) =>
  split_by !== null
    ? `whole ${target_ss_id}`
    : target_place === null
      ? `sheet ${target_ss_id} ‘${target_sheet_name.toLowerCase()}’`
      : targetKey(target_ss_id, target_place)

/** Columns of a copy that change although their row stays the same: the time of the run, and the number of the row. */
export const selfChangingColumns = (
  { extra_columns }: Pick<Definition, 'extra_columns'>,
  header: Row,
): number[] => {
  const names = extra_columns.flatMap(({ kind, name }) =>
    kind === 'run_time' || kind === 'row_number' ? name : [],
  )
  return header.flatMap((cell, column) => (names.includes(String(cell ?? '')) ? column : []))
}

const SKU = 'SKU'

/**
 * Compiled records are identified by their SKU: the first column, or where the task has put it. Null if it is not copied, or if several
 * sources may have the same SKU.
 */
export function keyColumn({
  source_type,
  columns,
  excluded_fields,
  more_sources,
}: Pick<Definition, 'source_type' | 'columns' | 'excluded_fields' | 'more_sources'>): number | null {
  if (source_type !== 'internal' || more_sources.length > 0 || excluded_fields.includes(SKU)) return null
  const place = columns === null ? 0 : columns.findIndex(({ source }) => source === SKU)
  return place < 0 ? null : place
}

import { sql } from 'kysely'
import { z } from 'zod'
import { FrozenSettings } from '../../../contract/compiler/configs.ts'
import type { RunHandler } from '../../engine/types.ts'

// Runs that an older release queued have no settings.
const NO_SETTINGS: z.infer<typeof FrozenSettings> = {
  required_fields: [],
  field_groups: [],
  field_priorities: [],
  column_names: [],
  field_checks: [],
  field_rules: [],
  approval_percent: null,
  stale_days: null,
}

/** What a run merges and how, frozen when it is queued. */
export const CompileDefinition = z.object({
  config_id: z.int(),
  /** In the order in which they fill blank fields of the master. */
  sources: z.array(z.object({ task_id: z.int(), name: z.string(), is_master: z.boolean() })),
  settings: z._default(FrozenSettings, NO_SETTINGS),
  /** False: existing records are kept unchanged, and only new SKUs are added. */
  overwrite: z.boolean(),
})
export type CompileDefinition = z.infer<typeof CompileDefinition>

/** The current definitions of configurations, by task id. */
export const snapshotDefinition: RunHandler['snapshotDefinition'] = async (trx, task_ids) => {
  const { rows } = await sql<{ task_id: number } & Omit<CompileDefinition, 'overwrite'>>`
    select c.task_id, c.id as config_id, coalesce(s.sources, '[]') as sources,
      jsonb_build_object('required_fields', c.required_fields, 'field_groups', c.field_groups,
        'field_priorities', c.field_priorities, 'column_names', c.column_names, 'field_checks', c.field_checks, 'field_rules', c.field_rules,
        'approval_percent', c.approval_percent, 'stale_days', c.stale_days) as settings
    from compiler_configs c
    left join lateral (
      select jsonb_agg(jsonb_build_object('task_id', k.id, 'name', k.name, 'is_master', s.is_master) order by s.position) as sources
      from compiler_sources s join tasks k on k.id = s.source_task_id where s.compiler_config_id = c.id
    ) s on true
    where c.task_id = any (${[...task_ids]}::int[])`.execute(trx)
  return new Map(
    rows.map(({ task_id, ...definition }) => [
      task_id,
      { definition: { ...definition, overwrite: true } satisfies CompileDefinition, exclusive_key: null },
    ]),
  )
}

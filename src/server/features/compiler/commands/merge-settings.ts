import type { CompilerConfig, MergeSettings } from '../../../../contract/compiler/configs.ts'
import { compilerFieldMessages } from '../../../../contract/compiler/field-messages.ts'
import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'

import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { linearPattern } from '../../../platform/linear-pattern.ts'

/**
 * Throws NamedError `merge_setting_invalid` if settings name sources that are not merged, give different priorities to two fields
 * that are linked, or have an invalid pattern.
 */
export function checkSettings(
  { field_groups, field_priorities, column_names, field_checks }: MergeSettings,
  source_task_ids: readonly number[],
): void {
  const refuse = (field: keyof MergeSettings, message: string): never => {
    throw new NamedError('merge_setting_invalid', { field, message })
  }
  const named = {
    field_priorities: field_priorities.flatMap((priority) => priority.source_task_ids),
    column_names: column_names.map(({ source_task_id }) => source_task_id),
  }
  for (const field of ['field_priorities', 'column_names'] as const) {
    const stranger = named[field].find((id) => !source_task_ids.includes(id))
    if (stranger !== undefined) refuse(field, compilerServerMessages.source_not_merged(stranger))
  }
  for (const check of field_checks)
    if (check.kind === 'pattern' && linearPattern(check.pattern) === null)
      refuse('field_checks', compilerFieldMessages.pattern_invalid(check.pattern))
  const ordered = new Set(field_priorities.map(({ field }) => field))
  for (const group of field_groups) {
    const [one, other] = group.filter((field) => ordered.has(field))
    if (one !== undefined && other !== undefined)
      refuse('field_priorities', compilerFieldMessages.priority_in_group(one, other))
  }
}

/** Converts settings to columns. Omitted settings keep their value. */
export const storedSettings = (
  settings: Partial<MergeSettings & Pick<CompilerConfig, 'approval_percent' | 'stale_days'>>,
) => {
  const {
    required_fields,
    field_groups,
    field_priorities,
    column_names,
    field_checks,
    field_rules,
    approval_percent,
    stale_days,
  } = settings
  return {
    ...(required_fields && { required_fields: JSON.stringify(required_fields) }),
    ...(field_groups && { field_groups: JSON.stringify(field_groups) }),
    ...(field_priorities && { field_priorities: JSON.stringify(field_priorities) }),
    ...(column_names && { column_names: JSON.stringify(column_names) }),
    ...(field_checks && { field_checks: JSON.stringify(field_checks) }),
    ...(field_rules && { field_rules: JSON.stringify(field_rules) }),
    ...(approval_percent !== undefined && { approval_percent }),
    ...(stale_days !== undefined && { stale_days }),
  }
}

/** Reads the stored settings of a configuration. */
export const readSettings = (trx: Trx, id: number): Promise<MergeSettings> =>
  trx
    .selectFrom('compiler_configs')
    .select([
      'required_fields',
      'field_groups',
      'field_priorities',
      'column_names',
      'field_checks',
      'field_rules',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

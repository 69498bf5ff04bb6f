import type { compiler } from '../../../../contract/compiler/calls.ts'
import {
  type CompilerConfig,
  CompilerConfigCreate,
  isSkuName,
  type MergeSettings,
} from '../../../../contract/compiler/configs.ts'
import type { compilerPreview } from '../../../../contract/compiler/preview.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'

/** What the form holds while a person edits a configuration. Lines of lists may be incomplete; those are left out when it is sent. */
export type ConfigValues = MergeSettings & {
  name: string
  description: string
  is_active: boolean
  source_task_ids: number[]
  master_source_id: number | null
}

/** An empty form. */
export const newValues: ConfigValues = {
  name: '',
  description: '',
  is_active: true,
  source_task_ids: [],
  master_source_id: null,
  required_fields: [],
  field_groups: [],
  field_priorities: [],
  column_names: [],
}

/** A configuration as the form holds it. */
export const valuesOf = (config: CompilerConfig): ConfigValues => ({
  name: config.name,
  description: config.description,
  is_active: config.is_active,
  source_task_ids: config.source_task_ids,
  master_source_id: config.master_source_id,
  required_fields: config.required_fields,
  field_groups: config.field_groups,
  field_priorities: config.field_priorities,
  column_names: config.column_names,
})

/** The values without lines that were begun and not filled in. */
const complete = (values: ConfigValues): ConfigValues => ({
  ...values,
  field_groups: values.field_groups.filter((group) => group.length > 0),
  field_priorities: values.field_priorities.filter(
    ({ field, source_task_ids }) => field !== '' && source_task_ids.length > 0,
  ),
  column_names: values.column_names.filter(({ column, field }) => column !== '' && field !== ''),
})

/** What is wrong with a form, by field. */
export const formErrors = (values: ConfigValues) => fieldErrors(CompilerConfigCreate)(complete(values))

type Create = RequestOf<typeof compiler.createConfig>['body']

/** A configuration as it is sent. */
export const bodyOf = (values: ConfigValues): Create => CompilerConfigCreate.parse(complete(values))

type PreviewBody = RequestOf<typeof compilerPreview.preview>['body']

/** What is sent for a preview; null while there is no master source. */
export function previewBody(values: ConfigValues, config_id: number | null): PreviewBody | null {
  const { name: _, description, is_active, master_source_id, ...rest } = complete(values)
  return master_source_id === null ? null : { ...rest, config_id, master_source_id }
}

/** The form with other sources: the first one is the master until another is chosen, and what is said of a source goes with it. */
export function withSources(values: ConfigValues, source_task_ids: number[]): ConfigValues {
  const has = (id: number) => source_task_ids.includes(id)
  const { master_source_id: master } = values
  return {
    ...values,
    source_task_ids,
    master_source_id: master !== null && has(master) ? master : (source_task_ids[0] ?? null),
    field_priorities: values.field_priorities.map((priority) => ({
      ...priority,
      source_task_ids: priority.source_task_ids.filter(has),
    })),
    column_names: values.column_names.filter(({ source_task_id }) => has(source_task_id)),
  }
}

/** Names of the fields that these sources come to: the master's first, then what each other adds; their SKU is none of them. */
export function mergedFields(
  values: ConfigValues,
  columnsOf: ReadonlyMap<number, readonly string[]>,
): string[] {
  const { source_task_ids, master_source_id: master, column_names } = values
  const order = [...source_task_ids].sort((one, other) => Number(other === master) - Number(one === master))
  const fields = order.flatMap((id) =>
    (columnsOf.get(id) ?? []).map(
      (name) =>
        column_names.find(({ source_task_id, column }) => source_task_id === id && column === name)?.field ??
        name,
    ),
  )
  return [...new Set(fields)].filter((name) => name !== '' && !isSkuName(name))
}

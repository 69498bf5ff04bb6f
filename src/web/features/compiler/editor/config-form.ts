import * as z from 'zod/mini'
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
import { ownershipFields, ownershipValues } from '../../../tasks/ownership/ownership-form.ts'
import { isUntouched } from './check-form.ts'

/** Values of the form. Lists may contain incomplete lines, which are not sent; the id of the owner is text. */
export type ConfigValues = MergeSettings & {
  approval_percent: number | null
  stale_days: number | null
  owner_id: string | null
  tags: string[]
  name: string
  description: string
  is_active: boolean
  source_task_ids: number[]
  master_source_id: number | null
}

/** Initial values of a new configuration. */
export const newValues: ConfigValues = {
  name: '',
  description: '',
  owner_id: null,
  tags: [],
  is_active: true,
  source_task_ids: [],
  master_source_id: null,
  required_fields: [],
  field_groups: [],
  field_priorities: [],
  column_names: [],
  field_checks: [],
  field_rules: [],
  approval_percent: null,
  stale_days: null,
}

/** Form values of a configuration. */
export const valuesOf = (config: CompilerConfig): ConfigValues => ({
  name: config.name,
  description: config.description,
  ...ownershipValues(config),
  is_active: config.is_active,
  source_task_ids: config.source_task_ids,
  master_source_id: config.master_source_id,
  required_fields: config.required_fields,
  field_groups: config.field_groups,
  field_priorities: config.field_priorities,
  column_names: config.column_names,
  field_checks: config.field_checks,
  field_rules: config.field_rules,
  approval_percent: config.approval_percent,
  stale_days: config.stale_days,
})

/** The values without incomplete lines. */
const complete = (values: ConfigValues): ConfigValues => ({
  ...values,
  field_groups: values.field_groups.filter((group) => group.length > 0),
  field_priorities: values.field_priorities.filter(
    ({ field, source_task_ids }) => field !== '' && source_task_ids.length > 0,
  ),
  column_names: values.column_names.filter(({ column, field }) => column !== '' && field !== ''),
  field_checks: values.field_checks.filter((check) => !isUntouched(check)),
  field_rules: values.field_rules.filter(({ field, steps }) => field !== '' && steps.length > 0),
})

const Form = z.strictObject({ ...CompilerConfigCreate.shape, ...ownershipFields })

/** Validation errors by field. */
export const formErrors = (values: ConfigValues) => fieldErrors(Form)(complete(values))

type Create = RequestOf<typeof compiler.createConfig>['body']

/** Body of the call that saves; the notes are saved on the page of the configuration. */
export function bodyOf(values: ConfigValues): Omit<Create, 'notes'> {
  const { notes: _, ...body } = Form.parse(complete(values))
  return body
}

type PreviewBody = RequestOf<typeof compilerPreview.preview>['body']

/** Body of a preview; null without a master source. */
export function previewBody(values: ConfigValues, config_id: number | null): PreviewBody | null {
  const { master_source_id, ...complete_values } = complete(values)
  const {
    name: _,
    description,
    is_active,
    owner_id,
    tags,
    approval_percent,
    stale_days,
    ...rest
  } = complete_values
  return master_source_id === null ? null : { ...rest, config_id, master_source_id }
}

/** Changes the sources. The first one becomes the master if none is left, and settings of removed sources are dropped. */
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

/** Fields of the merged record: those of the master, then additional ones of each other source, without SKU columns. */
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

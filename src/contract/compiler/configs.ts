import * as z from 'zod/mini'
import { FieldName, fieldSettings } from '../field-checks/field-checks.ts'
import { Description, Id, Ignored, Moment, Name } from '../fields.ts'
import { limits } from '../limits.ts'
import { listedOwnership, ownershipCreate, ownershipEdits } from '../tasks/ownership.ts'
import { compilerFieldMessages } from './field-messages.ts'

const isUnique = (list: readonly unknown[]) => new Set(list).size === list.length

const Fields = z
  .array(FieldName)
  .check(
    z.maxLength(limits.compiled_fields_max, compilerFieldMessages.fields_many),
    z.refine(isUnique, compilerFieldMessages.field_twice),
  )

const settings = {
  /** Fields that must not be blank; empty: all fields. */
  required_fields: Fields,
  /** Fields that are merged together: all values of a group are from one row of one source, the first with a value in the group. */
  field_groups: z
    .array(Fields.check(z.minLength(2, compilerFieldMessages.group_small)))
    .check(z.refine((groups) => isUnique(groups.flat()), compilerFieldMessages.field_in_groups)),
  /** Sources in the order of precedence for a field and its group; other sources follow in the configuration's order. */
  field_priorities: z
    .array(
      z.strictObject({
        field: FieldName,
        source_task_ids: z.array(Id).check(z.refine(isUnique, compilerFieldMessages.source_twice)),
      }),
    )
    .check(
      z.maxLength(limits.compiled_fields_max, compilerFieldMessages.fields_many),
      z.refine((list) => isUnique(list.map(({ field }) => field)), compilerFieldMessages.field_twice),
    ),
  /** Renamed source columns, including SKU columns. */
  column_names: z.array(z.strictObject({ source_task_id: Id, column: FieldName, field: FieldName })).check(
    z.maxLength(limits.column_names_max, compilerFieldMessages.column_names_many),
    z.refine(
      (list) => isUnique(list.map(({ source_task_id, column }) => `${source_task_id} ${column}`)),
      compilerFieldMessages.column_twice,
    ),
  ),
  ...fieldSettings,
}

const limiting = {
  /** A compile that changes or removes more than this share of the records waits for an approval, in percent; null: none does. */
  approval_percent: z.nullable(
    z
      .int({ error: compilerFieldMessages.approval_percent })
      .check(
        z.minimum(0, compilerFieldMessages.approval_percent),
        z.maximum(100, compilerFieldMessages.approval_percent),
      ),
  ),
  /** A compile warns of sources whose rows have not changed for so many days; null: of none. */
  stale_days: z.nullable(
    z
      .int({ error: compilerFieldMessages.stale_days })
      .check(
        z.minimum(1, compilerFieldMessages.stale_days),
        z.maximum(limits.stale_days_max, compilerFieldMessages.stale_days),
      ),
  ),
}

/** Merge settings other than the order of sources. */
export const MergeSettings = z.object(settings)
export type MergeSettings = z.infer<typeof MergeSettings>

/** Settings in the definition of a run; runs of earlier releases have no checks. */
export const FrozenSettings = z.object({
  ...settings,
  field_checks: z._default(settings.field_checks, []),
  field_rules: z._default(settings.field_rules, []),
  approval_percent: z._default(limiting.approval_percent, null),
  stale_days: z._default(limiting.stale_days, null),
})

/** Whether a column contains SKUs, by its name. Case, blanks, `_` and `-` are ignored. */
export const isSkuName = (name: string): boolean => name.replaceAll(/[\s_-]/g, '').toLowerCase() === 'sku'

/** A compiler configuration: its source tasks, their order, and the merge settings. */
export const CompilerConfig = z.object({
  id: Id,
  /** Id of its runs, states and log. */
  task_id: Id,
  name: z.string(),
  description: z.string(),
  is_active: z.boolean(),
  /** In the order in which they fill fields that are blank in the master. */
  source_task_ids: z.array(Id),
  /** One of the sources; null if none is selected yet. */
  master_source_id: z.nullable(Id),
  ...settings,
  ...limiting,
  source_names: z.array(z.string()),
  /** Name of the task type that compiles it; null if there is none. */
  task_type_name: z.nullable(z.string()),
  /** Description of that type's schedule; null if it has none or is inactive. */
  task_type_schedule: z.nullable(z.string()),
  /** Records of a compile that waits for an approval; null: none. */
  waiting: z.nullable(
    z.object({
      snapshot_id: Id,
      row_count: z.int(),
      reason: z.string(),
      compiled_at: Moment,
    }),
  ),
  ...listedOwnership,
  notes: z.string(),
  created_at: Moment,
  updated_at: Moment,
})
export type CompilerConfig = z.infer<typeof CompilerConfig>

const readOnly = {
  id: Ignored,
  task_id: Ignored,
  waiting: Ignored,
  source_names: Ignored,
  task_type_name: Ignored,
  task_type_schedule: Ignored,
  owner: Ignored,
  has_notes: Ignored,
  created_at: Ignored,
}

const Sources = z
  .array(Id)
  .check(
    z.maxLength(limits.compiler_sources_max, compilerFieldMessages.sources_many),
    z.refine(isUnique, compilerFieldMessages.source_twice),
  )

const Master = z
  .int({ error: compilerFieldMessages.master_required })
  .check(z.minimum(1), z.maximum(2_147_483_647))

export const CompilerConfigCreate = z.strictObject({
  ...readOnly,
  updated_at: Ignored,
  name: Name,
  description: z._default(Description, ''),
  is_active: z._default(z.boolean(), true),
  source_task_ids: Sources,
  master_source_id: Master,
  required_fields: z._default(settings.required_fields, []),
  field_groups: z._default(settings.field_groups, []),
  field_priorities: z._default(settings.field_priorities, []),
  column_names: z._default(settings.column_names, []),
  field_checks: z._default(settings.field_checks, []),
  field_rules: z._default(settings.field_rules, []),
  approval_percent: z._default(limiting.approval_percent, null),
  stale_days: z._default(limiting.stale_days, null),
  ...ownershipCreate,
})

/** Body of an update: omitted fields keep their values; a stale `updated_at` is a conflict. */
export const CompilerConfigUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Name),
  description: z.optional(Description),
  is_active: z.optional(z.boolean()),
  source_task_ids: z.optional(Sources),
  master_source_id: z.optional(Master),
  ...z.partial(MergeSettings).shape,
  ...z.partial(z.object(limiting)).shape,
  ...z.partial(z.object(ownershipEdits)).shape,
})

import * as z from 'zod/mini'
import { Description, Id, Ignored, Moment, Name } from '../fields.ts'
import { limits } from '../limits.ts'
import { compilerFieldMessages } from './field-messages.ts'

const isUnique = (list: readonly unknown[]) => new Set(list).size === list.length

/** What a field of a record, or a column of a source, is called. */
export const FieldName = z
  .string()
  .check(z.minLength(1, compilerFieldMessages.field_blank), z.maxLength(limits.field_name_characters))

const Fields = z
  .array(FieldName)
  .check(
    z.maxLength(limits.compiled_fields_max, compilerFieldMessages.fields_many),
    z.refine(isUnique, compilerFieldMessages.field_twice),
  )

const settings = {
  /** Fields that have to be filled; none: all of them. */
  required_fields: Fields,
  /** Fields that move together: all of a group come from one row of one source, the first whose group is not all blank. */
  field_groups: z
    .array(Fields.check(z.minLength(2, compilerFieldMessages.group_small)))
    .check(z.refine((groups) => isUnique(groups.flat()), compilerFieldMessages.field_in_groups)),
  /** Whose values win for a field, and for its group; sources that are not named follow in the configuration's order. */
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
  /** Columns of sources that are read under another name, SKU among them. */
  column_names: z.array(z.strictObject({ source_task_id: Id, column: FieldName, field: FieldName })).check(
    z.maxLength(limits.column_names_max, compilerFieldMessages.column_names_many),
    z.refine(
      (list) => isUnique(list.map(({ source_task_id, column }) => `${source_task_id} ${column}`)),
      compilerFieldMessages.column_twice,
    ),
  ),
}

/** How a configuration merges beyond the order of its sources. */
export const MergeSettings = z.object(settings)
export type MergeSettings = z.infer<typeof MergeSettings>

/** Whether a column of this name holds the SKUs of a source: case, blanks, `_` and `-` do not count. */
export const isSkuName = (name: string): boolean => name.replaceAll(/[\s_-]/g, '').toLowerCase() === 'sku'

/** A compiler configuration: which source tasks are merged, in which order, and whose values win. */
export const CompilerConfig = z.object({
  id: Id,
  /** Under which its runs, its states and its log are known. */
  task_id: Id,
  name: z.string(),
  description: z.string(),
  is_active: z.boolean(),
  /** In the order in which they fill what the master leaves blank. */
  source_task_ids: z.array(Id),
  /** One of them; null: none is chosen yet. */
  master_source_id: z.nullable(Id),
  ...settings,
  source_names: z.array(z.string()),
  /** The one task type that compiles it; null: none. */
  task_type_name: z.nullable(z.string()),
  /** The schedule of that type in words; null: it has none, or it is inactive. */
  task_type_schedule: z.nullable(z.string()),
  created_at: Moment,
  updated_at: Moment,
})
export type CompilerConfig = z.infer<typeof CompilerConfig>

const readOnly = {
  id: Ignored,
  task_id: Ignored,
  source_names: Ignored,
  task_type_name: Ignored,
  task_type_schedule: Ignored,
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
})

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. */
export const CompilerConfigUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Name),
  description: z.optional(Description),
  is_active: z.optional(z.boolean()),
  source_task_ids: z.optional(Sources),
  master_source_id: z.optional(Master),
  ...z.partial(MergeSettings).shape,
})

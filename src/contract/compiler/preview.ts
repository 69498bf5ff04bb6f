import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { CompilerConfigCreate } from './configs.ts'
import { CompiledRecord } from './records.ts'

const { source_task_ids, master_source_id, ...rest } = CompilerConfigCreate.shape
const { required_fields, field_groups, field_priorities, column_names, field_checks, field_rules } = rest

/** Preview of a configuration: its first records, merged from the current rows of the sources. */
export const CompilerPreview = z.object({
  fields: z.array(z.string()),
  records: z.array(z.omit(CompiledRecord, { compiler_config_id: true, created_at: true, updated_at: true })),
  /** Source task of each value, by record and field; null for blank values. */
  filled_by: z.array(z.array(z.nullable(Id))),
  /** The master is the first. */
  sources: z.array(z.object({ source_task_id: Id, name: z.string(), rows: z.int() })),
  /** Settings that refer to columns no source has. */
  warnings: z.array(z.string()),
})
export type CompilerPreview = z.infer<typeof CompilerPreview>

/** API call for a preview of an unsaved configuration. */
export const compilerPreview = {
  preview: {
    method: 'POST',
    path: '/api/compiler/preview',
    needs: 'read',
    summary:
      'The first records that a compile of this configuration would give; nothing is stored. One at a time per user',
    body: z.strictObject({
      /** The edited configuration, whose SKU mappings apply; null for a new one. */
      config_id: z._default(z.nullable(Id), null),
      source_task_ids,
      master_source_id,
      required_fields,
      field_groups,
      field_priorities,
      column_names,
      field_checks,
      field_rules,
    }),
    reply: CompilerPreview,
  },
} satisfies Calls

import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { CompilerConfigCreate } from './configs.ts'
import { CompiledRecord } from './records.ts'

const { source_task_ids, master_source_id, ...rest } = CompilerConfigCreate.shape
const { required_fields, field_groups, field_priorities, column_names } = rest

/** What a configuration would come to: its first records, from the current rows of its sources. */
export const CompilerPreview = z.object({
  fields: z.array(z.string()),
  records: z.array(z.omit(CompiledRecord, { compiler_config_id: true, created_at: true, updated_at: true })),
  /** Of each record, for each field the source task whose value it is; null where it is blank. */
  filled_by: z.array(z.array(z.nullable(Id))),
  /** The master first. */
  sources: z.array(z.object({ source_task_id: Id, name: z.string(), rows: z.int() })),
  /** Settings that name what no source has. */
  warnings: z.array(z.string()),
})
export type CompilerPreview = z.infer<typeof CompilerPreview>

/** The call that shows what a configuration would come to before it is saved. */
export const compilerPreview = {
  preview: {
    method: 'POST',
    path: '/api/compiler/preview',
    needs: 'read',
    summary:
      'The first records that a configuration would have, by the merge of a compile; nothing is kept. One at a time for each person',
    body: z.strictObject({
      /** The configuration that is edited, whose mappings of SKUs count; null: a new one. */
      config_id: z._default(z.nullable(Id), null),
      source_task_ids,
      master_source_id,
      required_fields,
      field_groups,
      field_priorities,
      column_names,
    }),
    reply: CompilerPreview,
  },
} satisfies Calls

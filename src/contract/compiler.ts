import * as z from 'zod/mini'
import type { Calls } from './calls.ts'
import { Description, Id, IdParams, Ignored, Moment, Name } from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './page-messages.ts'

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
  source_names: z.array(z.string()),
  /** The one task type that compiles it on a schedule; null: none. */
  task_type_name: z.nullable(z.string()),
  created_at: Moment,
  updated_at: Moment,
})
export type CompilerConfig = z.infer<typeof CompilerConfig>

const readOnly = {
  id: Ignored,
  task_id: Ignored,
  source_names: Ignored,
  task_type_name: Ignored,
  created_at: Ignored,
}

const Sources = z.array(Id).check(
  z.maxLength(limits.compiler_sources_max, messages.sources_many),
  z.refine((ids) => new Set(ids).size === ids.length, messages.source_twice),
)

const Master = z.int({ error: messages.master_required }).check(z.minimum(1), z.maximum(2_147_483_647))

const CompilerConfigCreate = z.strictObject({
  ...readOnly,
  updated_at: Ignored,
  name: Name,
  description: z._default(Description, ''),
  is_active: z._default(z.boolean(), true),
  source_task_ids: Sources,
  master_source_id: Master,
})

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. */
const CompilerConfigUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Name),
  description: z.optional(Description),
  is_active: z.optional(z.boolean()),
  source_task_ids: z.optional(Sources),
  master_source_id: z.optional(Master),
})

/** The calls on compiler configurations. */
export const compiler = {
  listConfigs: {
    method: 'GET',
    path: '/api/compiler/configs',
    summary: 'Compiler configurations by name; all, or only the active or inactive ones',
    query: z.strictObject({ is_active: z.optional(z.enum(['true', 'false'])) }),
    reply: z.array(CompilerConfig),
  },
  createConfig: {
    method: 'POST',
    path: '/api/compiler/configs',
    summary: 'Add a compiler configuration',
    body: CompilerConfigCreate,
    status: 201,
    reply: CompilerConfig,
  },
  updateConfig: {
    method: 'PUT',
    path: '/api/compiler/configs/:id',
    summary: 'Change a compiler configuration; a compile that is under way keeps it as it was',
    params: IdParams,
    body: CompilerConfigUpdate,
    reply: CompilerConfig,
  },
  deleteConfig: {
    method: 'DELETE',
    path: '/api/compiler/configs/:id',
    summary: 'Delete a compiler configuration that no task and no type uses, with its compiled records',
    params: IdParams,
    status: 204,
  },
  compile: {
    method: 'POST',
    path: '/api/compiler/compile',
    summary:
      'Compile a configuration, or join the compile that is under way; answers at its end, past 40 s that it goes on',
    body: z.strictObject({
      config_id: Id,
      /** False: records that are there already stay as they are. */
      overwrite: z._default(z.boolean(), true),
    }),
    reply: z.object({ run_id: Id, total_rows_processed: z.int(), unique_skus: z.int() }),
    accepted: z.object({ run_id: Id }),
  },
} satisfies Calls

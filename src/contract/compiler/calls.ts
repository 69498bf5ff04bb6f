import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams } from '../fields.ts'
import { RevertBody } from '../setting-changes/calls.ts'
import { CompilerConfig, CompilerConfigCreate, CompilerConfigUpdate } from './configs.ts'

/** API calls for compiler configurations. */
export const compiler = {
  listConfigs: {
    method: 'GET',
    path: '/api/compiler/configs',
    summary: 'Compiler configurations by name; all, or only the active or inactive ones',
    shared: true,
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
    summary: 'Change a compiler configuration; a live compile keeps the previous one',
    params: IdParams,
    body: CompilerConfigUpdate,
    reply: CompilerConfig,
  },
  revertConfig: {
    method: 'POST',
    path: '/api/compiler/configs/:id/revert',
    summary:
      'Restore the settings that one change of a compiler configuration replaced, as an edit; see `GET /api/tasks/:id/changes`',
    params: IdParams,
    body: RevertBody,
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
      'Compile a configuration, or join its live compile; replies at its end, or after 40 s that it continues',
    needs: 'run',
    commits_first: true,
    body: z.strictObject({
      config_id: Id,
      /** False: existing records are not changed. */
      overwrite: z._default(z.boolean(), true),
    }),
    reply: z.object({
      run_id: Id,
      total_rows_processed: z.int(),
      unique_skus: z.int(),
      /** The records wait for an approval; omitted: they are current. */
      waits: z.optional(z.literal(true)),
    }),
    accepted: z.object({ run_id: Id }),
  },
} satisfies Calls

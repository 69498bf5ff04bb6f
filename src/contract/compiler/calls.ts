import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams } from '../fields.ts'
import { CompilerConfig, CompilerConfigCreate, CompilerConfigUpdate } from './configs.ts'

/** The calls on compiler configurations. */
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
    needs: 'run',
    commits_first: true,
    body: z.strictObject({
      config_id: Id,
      /** False: records that are there already stay as they are. */
      overwrite: z._default(z.boolean(), true),
    }),
    reply: z.object({ run_id: Id, total_rows_processed: z.int(), unique_skus: z.int() }),
    accepted: z.object({ run_id: Id }),
  },
} satisfies Calls

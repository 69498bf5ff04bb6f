import * as z from 'zod/mini'
import type { Calls } from './calls.ts'
import { Id } from './fields.ts'

/** A compiler configuration, as it is listed. */
export const CompilerConfig = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  is_active: z.boolean(),
})
export type CompilerConfig = z.infer<typeof CompilerConfig>

/** The calls on the compiler. */
export const compiler = {
  listConfigs: {
    method: 'GET',
    path: '/api/compiler/configs',
    summary: 'Compiler configurations by name; all, or only the active or inactive ones',
    query: z.strictObject({ is_active: z.optional(z.enum(['true', 'false'])) }),
    reply: z.array(CompilerConfig),
  },
} satisfies Calls

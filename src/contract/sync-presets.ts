import { z } from 'zod'
import type { Calls } from './calls.ts'
import { Id } from './fields.ts'

/** A named list of header names that a copy leaves out. */
export const SyncPreset = z.object({ id: Id, name: z.string(), excluded_fields: z.array(z.string()) })
export type SyncPreset = z.infer<typeof SyncPreset>

/** The calls on sync presets (S1 section 7). */
export const syncPresets = {
  list: {
    method: 'GET',
    path: '/api/sync_presets',
    summary: 'All sync presets by name',
    reply: z.array(SyncPreset),
  },
} satisfies Calls

import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { fieldMessages } from '../field-messages.ts'
import { Id, IdParams, Ignored, Moment, Name } from '../fields.ts'
import { limits } from '../limits.ts'

/** A named list of columns that copies skip. */
export const SyncPreset = z.object({
  id: Id,
  name: z.string(),
  excluded_fields: z.array(z.string()),
  /** Number of sync tasks that use it. */
  tasks_count: z.int(),
  created_at: Moment,
  updated_at: Moment,
})
export type SyncPreset = z.infer<typeof SyncPreset>

const ExcludedFields = z.pipe(
  z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, fieldMessages.field_name_required),
          z.maxLength(limits.field_name_characters),
        ),
    )
    .check(z.minLength(1, fieldMessages.excluded_fields_required), z.maxLength(limits.excluded_fields_max)),
  z.transform((fields) => [...new Set(fields)]),
)

const readOnly = { id: Ignored, tasks_count: Ignored, created_at: Ignored }

/** Body of a new preset; read-only fields are accepted and ignored. */
export const SyncPresetCreate = z.strictObject({
  ...readOnly,
  updated_at: Ignored,
  name: Name,
  excluded_fields: ExcludedFields,
})

/** Body of an update: omitted fields keep their values; a stale `updated_at` is a conflict. */
export const SyncPresetUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Name),
  excluded_fields: z.optional(ExcludedFields),
})

/** API calls for sync presets. */
export const syncPresets = {
  list: {
    method: 'GET',
    path: '/api/sync_presets',
    summary: 'All sync presets by name',
    reply: z.array(SyncPreset),
  },
  create: {
    method: 'POST',
    path: '/api/sync_presets',
    summary: 'Add a sync preset',
    body: SyncPresetCreate,
    status: 201,
    reply: SyncPreset,
  },
  update: {
    method: 'PUT',
    path: '/api/sync_presets/:id',
    summary: 'Change a sync preset; live runs keep the previous one',
    params: IdParams,
    body: SyncPresetUpdate,
    reply: SyncPreset,
  },
  delete: {
    method: 'DELETE',
    path: '/api/sync_presets/:id',
    summary: 'Delete a sync preset that no task uses',
    params: IdParams,
    status: 204,
  },
} satisfies Calls

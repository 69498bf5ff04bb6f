import * as z from 'zod/mini'
import { type SyncPreset, SyncPresetCreate } from '../../../../contract/sync-presets/calls.ts'

/** Values of the form. Fields are one per line, because a header may contain any other character. */
export type PresetValues = { name: string; excluded_fields: string }

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Parses the form into the body of the call. */
export const PresetForm = z.object({
  name: SyncPresetCreate.shape.name,
  excluded_fields: z.pipe(z.pipe(z.string(), z.transform(linesOf)), SyncPresetCreate.shape.excluded_fields),
})

/** Form values of a preset; blank for a new one. */
export const valuesOf = (preset: SyncPreset | null): PresetValues => ({
  name: preset?.name ?? '',
  excluded_fields: preset?.excluded_fields.join('\n') ?? '',
})

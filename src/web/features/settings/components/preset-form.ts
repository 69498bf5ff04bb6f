import * as z from 'zod/mini'
import { type SyncPreset, SyncPresetCreate } from '../../../../contract/sync-presets/calls.ts'

/** What the form holds: fields are lines of a text, since a header may hold any other character. */
export type PresetValues = { name: string; excluded_fields: string }

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The form, parsed into what is sent. */
export const PresetForm = z.object({
  name: SyncPresetCreate.shape.name,
  excluded_fields: z.pipe(z.pipe(z.string(), z.transform(linesOf)), SyncPresetCreate.shape.excluded_fields),
})

/** A preset as the form holds it; empty without one. */
export const valuesOf = (preset: SyncPreset | null): PresetValues => ({
  name: preset?.name ?? '',
  excluded_fields: preset?.excluded_fields.join('\n') ?? '',
})

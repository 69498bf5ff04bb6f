import { CompiledRecord, type CompiledRecordDetail } from '../../../../contract/compiler-records.ts'
import { limits } from '../../../../contract/limits.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Tone } from '../../../ui/badge.tsx'

const fixed = new Set(Object.keys(CompiledRecord.shape))

/** Names of the fields that records have beside what every one has, in their order. */
export const fieldNames = (record: CompiledRecord | undefined) =>
  Object.keys(record ?? {}).filter((name) => !fixed.has(name))

/** A value as text, cut where it is long: 97 characters and dots. */
export function cutText(text: string): string {
  if (text.length <= limits.compiled_text_shown) return text
  const kept = text.slice(0, limits.compiled_text_cut)
  // half a character is none
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}...`
}

type Flags = Pick<CompiledRecord, 'has_blanks' | 'has_errors' | 'is_duplicate'>

/** Badges of a record; one without any of them is clean. */
export function flagsOf({ has_blanks, has_errors, is_duplicate }: Flags): { label: string; tone: Tone }[] {
  const flags: { label: string; tone: Tone }[] = [
    ...(has_blanks ? [{ label: 'Blanks', tone: 'warning' } as const] : []),
    ...(has_errors ? [{ label: 'Errors', tone: 'error' } as const] : []),
    ...(is_duplicate ? [{ label: 'Duplicate', tone: 'purple' } as const] : []),
  ]
  return flags.length > 0 ? flags : [{ label: 'Clean', tone: 'success' }]
}

/** Share of fields that are filled, in whole percent, and its colour: from 90% on green, from 70% on yellow, else red. */
export function completenessOf({ filled, of }: { filled: number; of: number }): {
  percent: number
  tone: 'success' | 'warning' | 'error'
} {
  const share = of === 0 ? 1 : filled / of
  return {
    percent: Math.floor(share * 100),
    tone: share >= 0.9 ? 'success' : share >= 0.7 ? 'warning' : 'error',
  }
}

/** A value as people read it. */
export const valueText = (value: CellValue | undefined) =>
  typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '')

/** A field of a record with where it came from. */
export type RecordField = CompiledRecordDetail['fields'][number]

/** Fields whose name or value has the words. */
export function searchFields(fields: readonly RecordField[], search: string): RecordField[] {
  const wanted = search.trim().toLowerCase()
  return fields.filter(({ name, value }) =>
    [name, valueText(value)].some((text) => text.toLowerCase().includes(wanted)),
  )
}

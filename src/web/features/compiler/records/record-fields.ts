import { CompiledRecord, type CompiledRecordDetail } from '../../../../contract/compiler/records.ts'
import { limits } from '../../../../contract/limits.ts'
import { CellValue } from '../../../../contract/tables.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import type { Tone } from '../../../ui/badge.tsx'

const fixed = new Set(Object.keys(CompiledRecord.shape))

/** Names of the fields that records have beside what every one has, in their order. */
export const fieldNames = (record: CompiledRecord | undefined) =>
  Object.keys(record ?? {}).filter((name) => !fixed.has(name))

/** A value as text, cut where it is long: 97 characters and dots. */
export const cutText = (text: string): string =>
  text.length <= limits.compiled_text_shown ? text : `${firstOf(text, limits.compiled_text_cut)}...`

// what names hundreds of fields would hide them
const EXPLANATION_SHOWN = 400

/** Why a record has a flag, cut where it would fill the dialog. */
export const cutExplanation = (text: string): string =>
  text.length <= EXPLANATION_SHOWN ? text : `${firstOf(text, EXPLANATION_SHOWN)}...`

function firstOf(text: string, characters: number): string {
  const kept = text.slice(0, characters)
  // half a character is none
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept
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

/** What a record has in a field, as the source shows it that fills it. */
export const fieldText = (
  record: Record<string, unknown> & Pick<CompiledRecord, 'number_formats'>,
  name: string,
): string => cellText(CellValue.safeParse(record[name]).data, record.number_formats[name])

/** A field of a record with where it came from. */
export type RecordField = CompiledRecordDetail['fields'][number]

/** Fields whose name or value has the words. */
export function searchFields(fields: readonly RecordField[], search: string): RecordField[] {
  const wanted = search.trim().toLowerCase()
  return fields.filter(({ name, value, number_format }) =>
    [name, cellText(value, number_format)].some((text) => text.toLowerCase().includes(wanted)),
  )
}

import { CompiledRecord, type CompiledRecordDetail } from '../../../../contract/compiler/records.ts'
import { CellValue } from '../../../../contract/tables.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import type { Tone } from '../../../ui/badge.tsx'

const fixed = new Set(Object.keys(CompiledRecord.shape))

/** Field names of records in their order, without the fixed ones. */
export const fieldNames = (record: CompiledRecord | undefined) =>
  Object.keys(record ?? {}).filter((name) => !fixed.has(name))

type Flags = Pick<CompiledRecord, 'has_blanks' | 'has_errors' | 'is_duplicate'>

/** Badges of a record: its flags, or "Clean". */
export function flagsOf({ has_blanks, has_errors, is_duplicate }: Flags): { label: string; tone: Tone }[] {
  const flags: { label: string; tone: Tone }[] = [
    ...(has_blanks ? [{ label: 'Blanks', tone: 'warning' } as const] : []),
    ...(has_errors ? [{ label: 'Errors', tone: 'error' } as const] : []),
    ...(is_duplicate ? [{ label: 'Duplicate', tone: 'purple' } as const] : []),
  ]
  return flags.length > 0 ? flags : [{ label: 'Clean', tone: 'success' }]
}

/** Percentage of filled fields, rounded down, and its colour: green from 90%, yellow from 70%, else red. */
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

/** Value of a record's field in the number format of its source. */
export const fieldText = (
  record: Record<string, unknown> & Pick<CompiledRecord, 'number_formats'>,
  name: string,
): string => cellText(CellValue.safeParse(record[name]).data, record.number_formats[name])

/** A field of a record, with the source of its value. */
export type RecordField = CompiledRecordDetail['fields'][number]

/** Fields whose name or value contains the search text. */
export function searchFields(fields: readonly RecordField[], search: string): RecordField[] {
  const wanted = search.trim().toLowerCase()
  return fields.filter(({ name, value, number_format }) =>
    [name, cellText(value, number_format)].some((text) => text.toLowerCase().includes(wanted)),
  )
}

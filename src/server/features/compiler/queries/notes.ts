import type { CompiledRecordDetail } from '../../../../contract/compiler/records.ts'
import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'
import { failureSentence } from '../../../../contract/field-checks/describe-checks.ts'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { FOUND } from '../../../snapshots/record-blocks.ts'
import { isLoading, isSpreadsheetError } from '../../../snapshots/spreadsheet-errors.ts'

/** `found`: how often each source has the SKU, by source number. */
type Judged = { cells: readonly CellValue[]; found: Uint8Array }
type Failed = { failed_checks: readonly number[] }
type Among = {
  fields: readonly string[]
  required_fields: readonly string[]
  field_checks: readonly FieldCheck[]
  sources: readonly { task_id: number; name: string }[]
  master: number | null
}

/** Returns the flags of a record and a message for each. */
export function notesOf(
  { cells, found }: Judged,
  { fields, required_fields, field_checks, sources, master }: Among,
  { failed_checks }: Failed,
): CompiledRecordDetail['flags'] {
  const required = isRequired(required_fields)
  const blank = fields.filter((name, n) => required(name) && isBlank(cells[n + 1] ?? null))
  const wrong = ['SKU', ...fields].filter((_, n) => isWrong(cells[n] ?? null))
  const holders = sourcesIn(sources, found)
  const twice = sources.filter((_, n) => ((found[n] ?? 0) & FOUND.more) > 0)
  const padded = sources.filter((_, n) => ((found[n] ?? 0) & FOUND.padded) > 0)
  const namesOf = (some: Among['sources']) => some.map(({ name }) => name)
  const notes: CompiledRecordDetail['flags'] = []
  if (blank.length > 0) notes.push({ flag: 'has_blanks', explanation: compilerServerMessages.blank(blank) })
  const sentences = (severity: FieldCheck['severity']) =>
    failed_checks.flatMap((check_no) => {
      const check = field_checks[check_no]
      return check?.severity === severity ? failureSentence(check) : []
    })
  const errors = [...(wrong.length > 0 ? [compilerServerMessages.errors(wrong)] : []), ...sentences('error')]
  const warnings = sentences('warning')
  if (errors.length > 0) notes.push({ flag: 'has_errors', explanation: errors.join(' ') })
  if (warnings.length > 0) notes.push({ flag: 'failed_warnings', explanation: warnings.join(' ') })
  if (twice.length > 0)
    notes.push({ flag: 'is_duplicate', explanation: compilerServerMessages.twice(namesOf(twice)) })
  if (!holders.some(({ task_id }) => task_id === master))
    notes.push({ flag: 'not_in_master', explanation: compilerServerMessages.not_in_master(namesOf(holders)) })
  if (padded.length > 0 && padded.length < holders.length)
    notes.push({ flag: 'sku_padded', explanation: compilerServerMessages.sku_padded(namesOf(padded)) })
  return notes
}

/** Returns a predicate for required fields. An empty list means that all fields are required. */
export function isRequired(required_fields: readonly string[]): (name: string) => boolean {
  const required = new Set(required_fields)
  return (name) => required.size === 0 || required.has(name)
}

/** True if a field has no value. 0 and false are values. */
export const isBlank = (value: CellValue): boolean => value === null || value === ''

/** True if a value is a spreadsheet error such as #N/A. */
export const isWrong = (value: CellValue): boolean => isSpreadsheetError(value) || isLoading(value)

/** Filters the sources that have the SKU of a record. */
export const sourcesIn = <Source>(sources: readonly Source[], found: Uint8Array): Source[] =>
  sources.filter((_, n) => (found[n] ?? 0) > 0)

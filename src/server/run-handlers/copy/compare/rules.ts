import type { Target } from '../../../connectors/connector.ts'
import type { RunContext } from '../../../engine/types.ts'
import { cellsOf } from '../../cell-notes.ts'
import { cellCount, count, formatSentences, tableSize } from '../../messages.ts'
import type { ReadingReport, SourceCopy } from '../read/source-copy.ts'
import type { Difference } from './compare.ts'

type RunWarning = Parameters<RunContext['warn']>[0]

/** Messages about the read: log lines, warnings, and the error that ends the run. */
export function describeReading(
  title: string,
  copy: Pick<SourceCopy, 'header' | 'columns'> & { fingerprint: { rows: number } },
  { requests, excluded, mixed_formats, format_sample_rows, notes, unsettled, address }: ReadingReport,
  target: Pick<Target, 'provider' | 'cell_characters' | 'readFormats'>,
): { info: string[]; warnings: RunWarning[]; error: string | null } {
  const { provider, cell_characters } = target
  const size = tableSize(Math.max(0, copy.fingerprint.rows - 1), copy.columns)
  const info = [`Read ${size} from ${title} in ${count(requests, 'request')}.`]
  if (excluded.length > 0) info.push(`Left out by the preset: ${excluded.join(', ')}.`)
  if (format_sample_rows !== null) info.push(formatSentences.sampled(format_sample_rows))
  const mixedOf = (is_kept: boolean) =>
    mixed_formats.flatMap((mixed) =>
      mixed.is_kept === is_kept ? String(copy.header[mixed.column] ?? address(0, mixed.column)) : [],
    )
  const [kept, lost] = [mixedOf(true), mixedOf(false)]
  const isCellwise = target.readFormats !== undefined
  if (kept.length > 0 && isCellwise) info.push(formatSentences.kept(kept))

  const warnings: RunWarning[] = []
  if (notes.errors.count > 0) {
    warnings.push({
      kind: 'error-cells',
      subject: cellsOf(notes.errors),
      message: `${cellCount(notes.errors, address)} with a spreadsheet error such as #N/A, copied as text.`,
    })
  }
  if (notes.replaced.count > 0) {
    warnings.push({
      kind: 'replaced-characters',
      subject: cellsOf(notes.replaced),
      message: `${cellCount(notes.replaced, address)} with characters that cannot be stored, replaced by �.`,
    })
  }
  const too_many = lost.length > 0 && formatSentences.too_many(lost)
  const one_each = kept.length > 0 && !isCellwise && formatSentences.one_each(kept, provider)
  for (const message of [too_many, one_each])
    if (message) warnings.push({ kind: 'mixed-formats', subject: message, message })
  if (unsettled) {
    warnings.push({
      kind: 'unsettled-source',
      subject: title,
      message: `${title} changed each time it was read: rows of different moments may stand side by side.`,
    })
  }

  const limit = count(cell_characters, 'character')
  const tooLong = `${title} has ${cellCount(notes.tooLong, address)} with more than ${limit} of text, which ${provider} does not take.`
  return { info, warnings, error: notes.tooLong.count > 0 ? tooLong : null }
}

/** Reason to refuse the copy; null: none. */
export function refusalOf(
  copy: Pick<SourceCopy, 'columns'> & { fingerprint: { rows: number } },
  { target_rows }: Pick<Difference, 'target_rows'>,
  { source, target, start_row }: { source: string; target: string; start_row: number },
): string | null {
  if (copy.columns === 0) return `${source} has nothing in or below row ${start_row}.`
  if (copy.fingerprint.rows > 1 || target_rows <= 1) return null
  const rows = count(target_rows - 1, 'row')
  return `${source} has no rows below its header, but ${target} has ${rows}. An empty source never empties a target.`
}

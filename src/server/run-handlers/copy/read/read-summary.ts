import { rowServerMessages } from '../../../../contract/rows/server-messages.ts'
import { consolidateServerMessages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { ReadableTarget } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { cellsOf } from '../../cell-notes.ts'
import { cellCount, count, formatMessages, tableSize } from '../../messages.ts'
import type { ReadReport, SourceCopy } from './source-copy.ts'

/** Logs the result of reading the source. Throws RunFailure if it cannot be copied. */
export async function logReadSummary(
  context: RunContext,
  { source, target }: { source: { title: string }; target: DescribedTarget },
  copy: SourceCopy,
  report: ReadReport,
): Promise<void> {
  const { info, warnings, error } = describeReading(source.title, copy, report, target)
  for (const message of info) await context.log('INFO', message)
  if (error !== null) throw new RunFailure(error, { retryable: false })
  for (const warning of warnings) await context.warn(warning)
}

type DescribedTarget = Pick<ReadableTarget, 'provider' | 'cell_characters' | 'readFormats'>

type RunWarning = Parameters<RunContext['warn']>[0]

/** Messages about the read: log lines, warnings, and the error that ends the run. */
export function describeReading(
  title: string,
  copy: Pick<SourceCopy, 'header' | 'columns'> & { fingerprint: { rows: number } },
  {
    requests,
    excluded,
    unchosen,
    filtered,
    incomplete,
    limit,
    mixed_formats,
    format_sample_rows,
    notes,
    unsettled,
    blank_sources,
    address,
  }: ReadReport,
  target: DescribedTarget,
): { info: string[]; warnings: RunWarning[]; error: string | null } {
  const { provider, cell_characters } = target
  const size = tableSize(Math.max(0, copy.fingerprint.rows - 1), copy.columns)
  const info = [`Read ${size} from ${title} in ${count(requests, 'request')}.`]
  if (excluded.length > 0) info.push(`Left out by the preset: ${excluded.join(', ')}.`)
  if (unchosen.names.length > 0)
    info.push(
      unchosen.areCopied
        ? rowServerMessages.included(unchosen.names)
        : rowServerMessages.not_chosen(unchosen.names),
    )
  if (filtered) info.push(rowServerMessages.passed(filtered.passed, filtered.rows))
  if (incomplete) info.push(rowServerMessages.incomplete(incomplete.rows, incomplete.kept))
  if (limit !== null) info.push(rowServerMessages.limited(limit))
  if (format_sample_rows !== null) info.push(formatMessages.sampled(format_sample_rows))
  const mixedOf = (is_kept: boolean) =>
    mixed_formats.flatMap((mixed) =>
      mixed.is_kept === is_kept ? String(copy.header[mixed.column] ?? address(0, mixed.column)) : [],
    )
  const [kept, lost] = [mixedOf(true), mixedOf(false)]
  const isCellwise = target.readFormats !== undefined
  if (kept.length > 0 && isCellwise) info.push(formatMessages.kept(kept))

  const warnings: RunWarning[] = blank_sources.map((title) => ({
    kind: 'blank-source',
    subject: title,
    message: consolidateServerMessages.no_rows(title),
  }))
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
  const too_many = lost.length > 0 && formatMessages.too_many(lost)
  const one_each = kept.length > 0 && !isCellwise && formatMessages.one_each(kept, provider)
  for (const message of [too_many, one_each])
    if (message) warnings.push({ kind: 'mixed-formats', subject: message, message })
  if (unsettled) {
    warnings.push({
      kind: 'unsettled-source',
      subject: title,
      message: `${title} changed each time it was read: the copy may mix rows of different moments.`,
    })
  }

  const longest = count(cell_characters, 'character')
  const tooLong = `${title} has ${cellCount(notes.tooLong, address)} with more than ${longest} of text, the limit of ${provider}.`
  return { info, warnings, error: notes.tooLong.count > 0 ? tooLong : null }
}

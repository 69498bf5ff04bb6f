import type { Target, Way } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { count } from '../../messages.ts'
import type { Difference } from '../compare/compare.ts'
import { describeReading } from '../compare/rules.ts'
import type { ReadingReport, SourceCopy } from '../read/source-copy.ts'

/** Logs the differences and the write plan. */
export async function logWritePlan(
  context: RunContext,
  target: Target,
  { way, difference, isFirst }: { way: Way; difference: Difference; isFirst: boolean },
): Promise<void> {
  const { rows, cells_changed, target_rows } = difference
  const currentRows = count(Math.max(0, target_rows - 1), 'row')
  const differ = `${count(cells_changed, 'cell')} in ${count(rows.size, 'row')}`
  const first = isFirst && target_rows > 0 ? ' This first run replaces them.' : ''
  const what = `${target.title} holds ${currentRows}; ${differ} ${cells_changed === 1 ? 'differs' : 'differ'}.${first}`
  await context.log('INFO', `${what} ${way.sentence}`)
}

/** Logs the result of reading the source. Throws RunFailure if it cannot be copied. */
export async function logReadSummary(
  context: RunContext,
  { source, target }: { source: { title: string }; target: Target },
  copy: SourceCopy,
  report: ReadingReport,
): Promise<void> {
  const { info, warnings, error } = describeReading(source.title, copy, report, target)
  for (const message of info) await context.log('INFO', message)
  if (error !== null) throw new RunFailure(error, { retryable: false })
  for (const warning of warnings) await context.warn(warning)
}

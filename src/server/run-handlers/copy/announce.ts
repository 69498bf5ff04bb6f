import type { Target } from '../../connectors/connector.ts'
import type { RunContext } from '../../engine/types.ts'
import { count } from '../sentences.ts'
import type { CommitMode } from './commit.ts'
import type { Difference } from './comparison.ts'
import { inPlaceWarning, modeSentence } from './sentences.ts'

/** Logs what differs and how it will be written. */
export async function announce(
  context: RunContext,
  target: Target,
  { mode, difference, isFirst }: { mode: CommitMode; difference: Difference; isFirst: boolean },
): Promise<void> {
  const { rows, cells_changed, target_rows } = difference
  const held = count(Math.max(0, target_rows - 1), 'row')
  const differ = `${count(cells_changed, 'cell')} in ${count(rows.size, 'row')}`
  const first = isFirst && target_rows > 0 ? ' This first run replaces them.' : ''
  const what = `${target.title} holds ${held}; ${differ} differ.${first}`
  await context.log('INFO', `${what} ${modeSentence(mode)}`)
  if (mode === 'in_place') await warnInPlace(context, target)
}

/** Warns of what a target goes through that is written piece by piece. */
export const warnInPlace = (context: RunContext, { title }: Target): Promise<void> =>
  context.warn({ kind: 'written-in-place', subject: title, message: inPlaceWarning(title) })

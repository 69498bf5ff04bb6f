import type { Preview, SummaryLine } from '../../../../contract/plans/calls.ts'
import { previewMessages as messages } from '../../../../contract/previews/client-messages.ts'
import { isLive } from '../api.ts'
import { canApply, hasChanges, refusalOf } from './applicable.ts'

/** How a preview ended, worst first: this is the order of the list. */
export const outcomes = ['failed', 'danger', 'change', 'live', 'nothing'] as const
export type Outcome = (typeof outcomes)[number]

export function outcomeOf({ state, plan }: Preview): Outcome {
  if (isLive(state)) return 'live'
  if (!plan) return 'failed'
  if (plan.summary.lines.some(({ level }) => level === 'danger')) return 'danger'
  return hasChanges(plan) ? 'change' : 'nothing'
}

/** Previews in the order of the list: failed ones, dangerous ones, and so on. */
export const inOrder = (previews: readonly Preview[]): Preview[] =>
  previews.toSorted((one, other) => outcomes.indexOf(outcomeOf(one)) - outcomes.indexOf(outcomeOf(other)))

/** Those whose plans can be written now. */
export const applicable = (previews: readonly Preview[]): Preview[] =>
  previews.filter(({ plan }) => plan && canApply(plan) && refusalOf(plan) === null)

/** What all plans change together, dangers first. */
export function totalLines(previews: readonly Preview[]): SummaryLine[] {
  const summaries = previews.flatMap(({ plan }) => plan?.summary ?? [])
  const lines: SummaryLine[] = []
  type Summary = (typeof summaries)[number]
  const add = (
    level: SummaryLine['level'],
    countOf: (summary: Summary) => number,
    text: (total: number, tasks: number) => string,
  ) => {
    const counts = summaries.map(countOf).filter((count) => count > 0)
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (total > 0) lines.push({ level, text: text(total, counts.length) })
  }
  add('danger', ({ rows }) => rows.removed, messages.removed)
  add('danger', ({ cells }) => cells.emptied, messages.emptied)
  add('danger', ({ headers }) => headers.length, messages.headers)
  add('danger', ({ unowned }) => unowned?.cells ?? 0, messages.unowned)
  add('danger', ({ beside }) => beside?.cells ?? 0, messages.beside)
  add('change', ({ cells }) => cells.changed, messages.changed)
  add('change', ({ rows }) => rows.added, messages.added)
  add('change', ({ rows }) => rows.moved, messages.moved)
  add('change', ({ formats }) => formats, messages.formats)
  const failed = previews.filter((preview) => outcomeOf(preview) === 'failed').length
  if (failed > 0) lines.unshift({ level: 'danger', text: messages.failed(failed) })
  const nothing = previews.filter((preview) => outcomeOf(preview) === 'nothing').length
  if (nothing > 0) lines.push({ level: 'note', text: messages.nothing(nothing) })
  const known = summaries.filter((summary) => hasChanges({ summary }))
  const requests = known.reduce((sum, summary) => sum + (summary.requests ?? 0), 0)
  const seconds = known.reduce((sum, summary) => sum + (summary.seconds ?? 0), 0)
  if (requests > 0) lines.push({ level: 'note', text: messages.cost(requests, seconds) })
  return lines
}

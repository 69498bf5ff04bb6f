import type { BulkReply, BulkResult } from '../../../../contract/bulk/calls.ts'
import type { SummarizedAction } from '../../../../contract/bulk/client-messages.ts'
import { bulkServerMessages } from '../../../../contract/bulk/server-messages.ts'
import type { BulkTask, Target } from '../queries/targets.ts'

/** Result of the action for one task. */
export type Outcome = Pick<BulkResult, 'status' | 'message'>

/** Results by task id, and the former values of what was changed, for an undo. */
export type Acted = {
  outcomes: ReadonlyMap<number, Outcome>
  former?: ReadonlyMap<number, Record<string, unknown>>
}

export const done = (message: string): Outcome => ({ status: 'done', message })
export const skipped = (message: string): Outcome => ({ status: 'skipped', message })
export const refused = (message: string): Outcome => ({ status: 'refused', message })

type Named = Pick<BulkTask, 'id' | 'title' | 'category'>

/** One result per target in order; a target without an outcome is unknown. */
export function resultsOf(
  targets: readonly Target[],
  tasks: readonly Named[],
  outcomes: Acted['outcomes'],
): BulkResult[] {
  const known = new Map(tasks.map((task) => [task.id, task]))
  return targets.map(({ id }): BulkResult => {
    const { title: name = null, category } = known.get(id) ?? {}
    const outcome = outcomes.get(id) ?? { status: 'unknown', message: bulkServerMessages.unknown(id) }
    return { category: category ?? null, id, name, ...outcome }
  })
}

/** Counts results and describes them in one sentence. */
export function summarize(
  action: SummarizedAction,
  results: readonly BulkResult[],
): Pick<BulkReply, 'status' | 'message' | 'counts' | 'results'> {
  const countOf = (wanted: BulkResult['status']) => results.filter(({ status }) => status === wanted).length
  const counts = {
    done: countOf('done'),
    skipped: countOf('skipped'),
    refused: countOf('refused'),
    unknown: countOf('unknown'),
  }
  const first = results.find(({ status }) => status === 'refused')
  return {
    status: counts.done > 0 && counts.refused + counts.unknown === 0 ? 'success' : 'warning',
    message: bulkServerMessages.summary(
      action,
      counts,
      first ? { name: first.name ?? '', message: first.message } : null,
    ),
    counts,
    results: [...results],
  }
}

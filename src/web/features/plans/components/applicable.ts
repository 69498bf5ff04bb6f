import type { Plan } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import { isLive } from '../api.ts'

/** Whether a plan changes something. */
export const hasChanges = ({ summary: { cells, formats } }: Pick<Plan, 'summary'>): boolean =>
  cells.written > 0 || formats > 0

/** Whether a plan can be written: it is not outdated, and no run is writing it. */
export const canApply = ({ state, applied_by, summary }: Plan): boolean =>
  state === 'open' && !(applied_by && isLive(applied_by.state)) && hasChanges({ summary })

/** Why a run would be refused; null: it would not. */
export const refusalOf = ({ summary }: Pick<Plan, 'summary'>): string | null =>
  summary.unowned ? messages.refused : null

/** Why a plan cannot be written any more; null: it can, or it was written. */
export function lapsedText({ state }: Pick<Plan, 'state'>): string | null {
  if (state === 'outdated') return messages.outdated
  return state === 'expired' ? messages.expired : null
}

/** What became of the run that was to write a plan. */
export function appliedText({ run_id, state }: NonNullable<Plan['applied_by']>): string {
  if (isLive(state)) return messages.applying(run_id)
  return state === 'success' || state === 'warning'
    ? messages.applied_by(run_id)
    : messages.apply_ended(run_id)
}

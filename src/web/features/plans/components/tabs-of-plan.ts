import type { Plan, PlannedTab, PlanRow } from '../../../../contract/plans/calls.ts'
import { useSession } from '../../../lib/session.ts'

/** The tab of a row of a split task. */
export const tabOf = ({ tabs }: Plan, { tab }: PlanRow): PlannedTab | undefined =>
  tabs.find(({ value }) => value === tab)

/** Id of a tab for links; null if it does not exist: a preview only knows that a run would create it. */
export const linkedTab = ({ expires_at }: Plan, { change, tab_id }: PlannedTab): string | null =>
  change === 'created' && expires_at !== null ? null : tab_id

/** Where links into spreadsheets begin. */
export const useSpreadsheetRoot = (): string => useSession()?.sandbox?.url ?? 'https://docs.google.com'

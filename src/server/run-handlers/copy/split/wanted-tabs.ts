import { sql } from 'kysely'
import { planServerMessages } from '../../../../contract/plans/server-messages.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import { RunFailure } from '../../../engine/types.ts'
import { readParts } from '../../../plans/parts.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import { Restores } from '../../../plans/versions.ts'
import type { Db } from '../../../platform/db.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Definition } from '../definition.ts'
import { readWhole, rowsOfTabs, type WholeTable } from './read-split.ts'
import type { SplitState } from './split-state.ts'
import { addSplitTabs, type NewSplitTab, readSplitTabs, type SplitTab } from './split-tabs.ts'

/** A tab that a run writes, or a preview compares. */
export type WantedTab = {
  tab: SplitTab
  /** Data rows of the whole table; null: those of a part of a plan, or of a version. */
  rows: readonly number[] | null
  /** Its value is gone, so it is emptied. */
  isCleared: boolean
  /** The part of the plan that is written. */
  plan: number | null
  version: Definition['version']
}

/** `table`: null where the rows are not read from the source. `restores`: what the plan that is written restores. */
export type WantedTabs = {
  tabs: WantedTab[]
  /** Names of tabs that stay although their values are gone. */
  kept: string[]
  table: WholeTable | null
  plan: { hash: string; wanted_snapshot_id: number | null; restores: Restores | null } | null
}

/** Finds the tabs of a run: those of its plan, of a version, or of the values of the source. Throws RunFailure. */
export function wantedTabs(attempt: CopyAttempt, state: SplitState, split_by: string): Promise<WantedTabs> {
  const { plan, version } = attempt.definition
  if (plan !== null) return tabsOfPlan(attempt, plan)
  return version === null ? tabsOfSource(attempt, state, split_by) : tabsOfVersion(attempt, version)
}

/** The tabs in the order of their values; those whose value is gone come last, or are kept. */
async function tabsOfSource(attempt: CopyAttempt, state: SplitState, split_by: string): Promise<WantedTabs> {
  const { context, definition } = attempt
  const table = await readWhole(attempt, state)
  const found = await rowsOfTabs(attempt, table, split_by)
  const byValue = await knownTabs(
    attempt,
    found.map(({ value, name }) => ({ value, name, place: null })),
  )
  const ofSource = { isCleared: false, plan: null, version: null }
  const tabs = found.flatMap(({ value, rows }): WantedTab[] => {
    const tab = byValue.get(value)
    byValue.delete(value)
    return tab ? [{ ...ofSource, tab, rows }] : []
  })
  await context.log('INFO', messages.read(tabs.length, table.whole.row_count))
  const gone = [...byValue.values()].filter(({ snapshot_id }) => snapshot_id !== null)
  if (definition.on_missing === 'clear') {
    const cleared = gone.map((tab) => ({ ...ofSource, tab, rows: [], isCleared: true }))
    return { tabs: [...tabs, ...cleared], kept: [], table, plan: null }
  }
  const kept = gone.map(({ target_sheet_name }) => target_sheet_name)
  if (kept.length > 0) await context.log('INFO', messages.kept(kept))
  return { tabs, kept, table, plan: null }
}

/** All tabs of the task by their values. A run adds the given ones that it does not have; to a preview they are only known. */
async function knownTabs(
  { context, definition }: CopyAttempt,
  tabs: readonly NewSplitTab[],
): Promise<Map<string, SplitTab>> {
  const { task_id } = context.run
  const { target_ss_id } = definition
  if (!definition.preview) await context.transaction((trx) => addSplitTabs(trx, task_id, target_ss_id, tabs))
  const known = await readSplitTabs(context.db, task_id, target_ss_id)
  const byValue = new Map(known.map((tab) => [tab.value, tab]))
  for (const { value, name, place } of tabs)
    if (!byValue.has(value))
      byValue.set(value, {
        ...{ id: null, value, target_sheet_name: name, target_place: place, snapshot_id: null },
      })
  return byValue
}

type Part = { id: number; value: string; planned: PlannedTarget }

/** The tabs of parts of plans, in their order. */
async function tabsOfParts(
  attempt: CopyAttempt,
  parts: readonly Part[],
  rowsOf: (part: Part, place: number) => Pick<WantedTab, 'isCleared' | 'plan' | 'version'>,
): Promise<WantedTab[]> {
  const byValue = await knownTabs(
    attempt,
    parts.map(({ value, planned: { sheet_name: name, is_new, tab_id } }) => ({
      ...{ value, name, place: is_new ? null : tab_id },
    })),
  )
  return parts.flatMap((part, place) => {
    const tab = byValue.get(part.value)
    return tab ? [{ tab, rows: null, ...rowsOf(part, place) }] : []
  })
}

async function tabsOfPlan(attempt: CopyAttempt, id: number): Promise<WantedTabs> {
  const { db } = attempt.context
  const plan = await db
    .selectFrom('plans')
    .select(['hash', 'target', 'wanted_snapshot_id', 'restores'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!plan) throw new RunFailure(planServerMessages.plan_rows_gone, { retryable: false })
  const parts = (await readParts(db, id)).map(partOf)
  const tabs = await tabsOfParts(attempt, parts, ({ id, planned }) => ({
    ...{ isCleared: planned.is_cleared, plan: id, version: null },
  }))
  const { hash, wanted_snapshot_id, restores } = plan
  const { kept } = PlannedTarget.parse(plan.target)
  const restored = restores === null ? null : Restores.parse(restores)
  return { tabs, kept, table: null, plan: { hash, wanted_snapshot_id, restores: restored } }
}

const partOf = ({
  id,
  split_value,
  target,
}: {
  id: number
  split_value: string | null
  target: unknown
}): Part => ({
  ...{ id, value: split_value ?? '', planned: PlannedTarget.parse(target) },
})

/**
 * The tabs of a version: before a run those that it changed; after it every tab that it or another run has changed, as the newest run up
 * to then left it.
 */
async function tabsOfVersion(
  attempt: CopyAttempt,
  version: NonNullable<Definition['version']>,
): Promise<WantedTabs> {
  const { context, definition } = attempt
  const found =
    version.side === 'former'
      ? (await readParts(context.db, version.plan_id))
          .filter(({ applied_at }) => applied_at !== null)
          .map((part) => ({ ...part, side: 'former' as const }))
      : await tabsAfter(context.db, { ...version, task_id: context.run.task_id, ...definition })
  const tabs = await tabsOfParts(attempt, found.map(partOf), ({ id, planned }, place) => {
    const side = found[place]?.side ?? version.side
    const isCleared = planned.is_cleared && side === 'wanted'
    return { isCleared, plan: null, version: { ...version, plan_id: id, side } }
  })
  return { tabs, kept: [], table: null, plan: null }
}

type Place = { plan_id: number; task_id: number; target_ss_id: string }

/**
 * The part of each tab that has its rows after a plan was written: the newest one up to then, else what the next run found. A tab whose
 * newest part is no longer kept has not changed since. Index: plans_values_idx.
 */
async function tabsAfter(db: Db, { plan_id, task_id, target_ss_id }: Place) {
  const { rows } = await sql<{
    id: number
    split_value: string
    target: unknown
    side: 'former' | 'wanted'
    is_kept: boolean
  }>`
    select distinct on (split_value) id, split_value, target,
      case when whole_id <= ${plan_id} then 'wanted' else 'former' end as side,
      case when whole_id <= ${plan_id} then wanted_snapshot_id else former_snapshot_id end is not null as is_kept
    from plans
    where task_id = ${task_id} and split_value is not null and applied_at is not null and target ->> 'target_ss_id' = ${target_ss_id}
    order by split_value, case when whole_id <= ${plan_id} then wanted_snapshot_id else former_snapshot_id end is null,
      whole_id > ${plan_id}, abs(whole_id - ${plan_id}), id desc`.execute(db)
  return rows.filter(({ is_kept }) => is_kept).sort((one, other) => one.id - other.id)
}

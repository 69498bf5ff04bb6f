import type { CellChanges } from '../../cell-changes.ts'
import {
  type Change,
  type NumberedRow,
  OriginFailure,
  type Patches,
  type RowRange,
  type WritePlan,
} from '../../connector.ts'
import { rowRequests } from '../staging/row-requests.ts'
import type { RunStagingTabs } from '../staging/run-tabs.ts'
import { reportStagingProgress, type StageRowsDeps, stagePatches, stageRows } from '../staging/stage-rows.ts'
import { createStagingTab, forgetStagingTab, growStagingTab, stagingTabSize } from '../staging/staging-tab.ts'
import { type Committed, checkHeader, commitChange, widthOf } from './commit.ts'
import type { Shifted } from './header-watch.ts'
import type { TargetTab } from './target-tab.ts'

/** A commit with more ranges than this is likely to exceed the 2 MB that Google recommends for one request. */
const MAX_RANGES = 5_000

/** An opened target with its staging tabs. */
export type ApplyDeps = StageRowsDeps & { staging_tabs: RunStagingTabs }

/** The warning is about edits that were detected only after the commit. */
type Applied = { warning: string | null }

/**
 * How a change is committed: `cells` are sent with the commit itself; `table` is staged as a whole; of `rows`, those that differ are
 * staged, one after the other, because the spreadsheet has no room for a second copy of the table.
 */
type StagingPlan =
  | { kind: 'cells'; cells: CellChanges }
  | { kind: 'table' }
  | { kind: 'rows'; ranges: RowRange[]; rows: number }

/** What the log says about each plan. */
export const writePlans = {
  cells: { mode: 'small', summary: 'They fit one request.' },
  table: {
    mode: 'staged',
    summary:
      'The new table is assembled in a staging tab; the target changes in one step when it is complete.',
  },
  rows: {
    mode: 'staged',
    summary:
      'The spreadsheet has no room for a second copy of the table, so only the rows that differ are written into a staging tab; the target changes in one step when they are complete.',
  },
  within: {
    mode: 'staged',
    summary:
      'The rows that differ are written into a staging tab; the target changes in one step when they are complete.',
  },
} as const satisfies Record<StagingPlan['kind'] | 'within', WritePlan>

/**
 * Applies the change in one atomic commit. Throws OriginFailure `too_large` before anything is written when target and staging tab
 * together do not fit into the spreadsheet.
 */
export async function applyChange(
  deps: ApplyDeps,
  change: Change,
  onPlan: (plan: WritePlan) => Promise<void>,
): Promise<Applied> {
  const fitting = withoutInsertion(deps, change) ?? change
  return applyPlan(planOf(deps, fitting), deps, fitting, onPlan)
}

/** The change with new rows in blank rows of the tab, if the spreadsheet has no room to insert them. */
function withoutInsertion({ tab: { view }, checkpoint }: ApplyDeps, change: Change): Change | null {
  const { rows, columns, within } = change
  const first = within?.inserted_from ?? rows
  const staging_id = checkpoint.value.staging_tab?.id ?? null
  return within && rows > first && !view.canInsert(rows - first, columns, staging_id)
    ? { ...change, within: { ...within, inserted_from: null } }
    : null
}

function planOf(
  { tab, checkpoint }: ApplyDeps,
  { cells, rows, columns, within, differing }: Change,
): StagingPlan {
  const id = checkpoint.value.staging_tab?.id ?? null
  const fits = (plan: StagingPlan) => {
    const size = sizeOf(plan, { rows, columns })
    return tab.view.hasRoom(rows, columns, { id, cells: size.rows * size.columns })
  }
  const whole: StagingPlan = cells ? { kind: 'cells', cells } : { kind: 'table' }
  if (!(within && whole.kind === 'table') && fits(whole)) return whole
  const ranges = within ? joinedRanges([...differing.ranges()]) : [...differing.ranges()]
  const part: StagingPlan = { kind: 'rows', ranges, rows: rowsIn(ranges) }
  const smaller = !cells && (within || (part.rows < rows && ranges.length <= MAX_RANGES)) ? part : null
  if (smaller && fits(smaller)) return smaller
  const size = sizeOf(smaller ?? whole, { rows, columns })
  throw tab.view.noRoom(rows, columns, { id, ...size })
}

/** The ranges, joined across the smallest gaps until one commit has room for them. */
function joinedRanges(ranges: RowRange[]): RowRange[] {
  if (ranges.length <= MAX_RANGES) return ranges
  const gaps = ranges.slice(1).map(({ from }, index) => from - (ranges[index]?.to ?? 0))
  const widest = gaps.toSorted((one, other) => other - one)[MAX_RANGES - 1] ?? 0
  const joined: RowRange[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last && range.from - last.to <= widest) last.to = range.to
    else joined.push({ ...range })
  }
  return joined
}

/** The size of the staging tab. */
const sizeOf = (plan: StagingPlan, { rows, columns }: Pick<Change, 'rows' | 'columns'>) => {
  const staged = { cells: 0, table: rows, rows: plan.kind === 'rows' ? plan.rows : 0 }
  return stagingTabSize({ rows: staged[plan.kind], columns })
}

const rowsIn = (ranges: RowRange[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

async function applyPlan(
  plan: StagingPlan,
  deps: ApplyDeps,
  change: Change,
  onPlan: (plan: WritePlan) => Promise<void>,
): Promise<Applied> {
  const { tab, context } = deps
  await onPlan(writePlans[change.within && plan.kind === 'rows' ? 'within' : plan.kind])
  try {
    return await stageAndCommit(plan, deps, change)
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    if (error.kind === 'too_large') {
      // The sizes of the other tabs may not have been known, or have grown.
      await tab.view.refresh()
      const fitting = withoutInsertion(deps, change)
      const other = planOf(deps, fitting ?? change)
      if (other.kind === plan.kind && !fitting) throw error
      return applyPlan(other, deps, fitting ?? change, onPlan)
    }
    // Google rejected the request because of its size, before applying any of it.
    if (error.kind !== 'request_too_large' || plan.kind !== 'cells') throw error
    await context.log(`${error.message} The whole table is staged instead.`)
    return applyChange(deps, { ...change, cells: null }, onPlan)
  }
}

/** Stages what the plan says and commits it. All commits of an attempt use the same staging tab where that can be resumed. */
async function stageAndCommit(plan: StagingPlan, deps: ApplyDeps, change: Change): Promise<Applied> {
  const { tab, context, checkpoint, staging_tabs, requestSize } = deps
  const { rows, columns } = change
  const size = sizeOf(plan, change)
  const { staging_tab: former } = checkpoint.value
  if (former && (plan.kind === 'rows' || (plan.kind === 'table' && !former.resumable)))
    await staging_tabs.removeStagingTab()
  const patches = plan.kind === 'table' ? worthPatching(tab, change) : null
  const known = checkpoint.value.staging_tab
  const headers =
    plan.kind === 'cells' && tab.view.tab.exists ? [tab.watch.row(tab.view.tab, widthOf(change))] : []
  const { staging_tab, headers: seen } = known
    ? { staging_tab: known, headers: null }
    : await createStagingTab(deps, size, {
        seeded: patches !== null,
        headers,
        resumable: plan.kind !== 'rows',
      })
  if (patches && staging_tab.seeded) {
    const requests = rowRequests(patches.rows(), requestSize)
    await stagePatches(deps, staging_tab, requests, {
      columns,
      through: reportStagingProgress(context, rows),
    })
  } else if (plan.kind !== 'cells') {
    await growStagingTab(tab, staging_tab.id, size)
    const isPart = plan.kind === 'rows'
    const table = isPart ? renumbered(change.differing.read(plan.ranges)) : change.table(staging_tab.rows)
    const through = reportStagingProgress(context, isPart ? plan.rows : rows)
    await stageRows(deps, staging_tab, rowRequests(table, requestSize), { columns, through })
  }
  await context.progress({ phase: 'Committing' })
  // Another editor may have inserted, deleted or moved rows or columns since the target was read.
  const header = seen?.get(tab.view.tab.sheet_id)
  if (header) tab.watch.compare(header, widthOf(change))
  else if (plan.kind !== 'cells' || tab.view.tab.exists) await checkHeader(tab, change, staging_tab.id)
  const content = plan.kind === 'table' ? { kind: 'rows' as const, ranges: [{ from: 0, to: rows }] } : plan
  const formulas = formulasWithin(change, plan)
  const committed = await commitChange(tab, { ...change, formulas, content }, staging_tab.id)
  await forgetStagingTab(deps, staging_tab.id)
  return { warning: warningOf(tab.view.title, committed) }
}

/** The warning about edits that were detected only after the commit to a tab; null: there were none. */
export function warningOf(title: string, { resized, shifted }: Committed): string | null {
  const warnings = [resized && resizedWarning(title), shifted !== null && shiftedWarning(title, shifted)]
  return warnings.filter((warning) => warning !== false).join(' ') || null
}

/** The formulas among the cells that are written; others stay in their place. */
function formulasWithin({ formulas, within }: Change, plan: StagingPlan): Change['formulas'] {
  if (!within || formulas.length === 0 || plan.kind === 'table') return formulas
  if (plan.kind === 'cells') {
    const written = new Set([...plan.cells].map(({ row, column }) => `${row} ${column}`))
    return formulas.filter(({ row, column }) => written.has(`${row} ${column}`))
  }
  return formulas.filter(
    ({ row, column }) =>
      within.columns.includes(column) && plan.ranges.some(({ from, to }) => row >= from && row < to),
  )
}

/** The patches, if they have less than half the bytes of the whole table. */
const worthPatching = (tab: TargetTab, { patches, bytes }: Change): Patches | null =>
  patches && takesPatches(tab) && patches.bytes * 2 < bytes ? patches : null

/** The same rows, numbered from 0 without gaps, as they are placed in the staging tab. */
async function* renumbered(pages: AsyncIterable<NumberedRow[]>): AsyncGenerator<NumberedRow[]> {
  let next = 0
  for await (const page of pages) {
    const first = next
    next += page.length
    yield page.map(({ json }, index) => ({ row: first + index, json }))
  }
}

/** Whether the tab's own rows can be copied and patched. Copying omits rows that a filter hides. */
const takesPatches = ({ view: { tab } }: TargetTab) => tab.exists && tab.filter === undefined

/** Warning: another editor inserted rows or columns right before the commit, which refers to positions. */
const resizedWarning = (title: string) =>
  `Rows or columns of ${title} were inserted while it was being written. The table is in its place; cells that were there have moved to the right or down, and values in the inserted cells are overwritten.`

/** Warning: columns were possibly moved during the commit, which Google cannot be asked to refuse. */
function shiftedWarning(title: string, { cell }: Shifted): string {
  const sign =
    cell === null
      ? `The header of ${title} changed between reading and writing the table.`
      : `${cell}, right of the header of ${title}, changed while the table was being written.`
  return `${sign} If columns were moved into or out of the table at that moment, some of their cells may be overwritten; the version history of the spreadsheet has them.`
}

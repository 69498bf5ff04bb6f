import type { CellChanges } from '../../cell-changes.ts'
import {
  type Change,
  type NumberedRow,
  OriginFailure,
  type Patches,
  type RowRange,
  type Way,
} from '../../connector.ts'
import { rowRequests } from '../staging/row-requests.ts'
import type { RunStagingTabs } from '../staging/run-tabs.ts'
import { reportStagingProgress, type StageRowsDeps, stagePatches, stageRows } from '../staging/stage-rows.ts'
import { createStagingTab, forgetStagingTab, growStagingTab, stagingTabSize } from '../staging/staging-tab.ts'
import { checkHeader, commitChange, widthOf } from './commit.ts'
import type { TargetTab } from './target-tab.ts'
import { describeWriteMode, resizedWarning, shiftedWarning } from './write-mode.ts'

/** A commit with more ranges than this is likely to exceed the 2 MB that Google recommends for one request. */
const MAX_RANGES = 5_000

type Deps = StageRowsDeps & { staging_tabs: RunStagingTabs }

/** The warning is about edits that were detected only after the commit. */
type Applied = { warning: string | null }

/**
 * How a change is committed: `cells` are sent with the commit itself; `table` is staged as a whole; of `rows`, those that differ are
 * staged, one after the other, because the spreadsheet has no room for a second copy of the table.
 */
type Plan =
  | { kind: 'cells'; cells: CellChanges }
  | { kind: 'table' }
  | { kind: 'rows'; ranges: RowRange[]; rows: number }

/**
 * Applies the change in one atomic commit. Throws OriginFailure `too_large` before anything is written when target and staging tab
 * together do not fit into the spreadsheet.
 */
export async function applyChange(
  deps: Deps,
  change: Change,
  begin: (way: Way) => Promise<void>,
): Promise<Applied> {
  return applyPlan(planOf(deps, change), deps, change, begin)
}

function planOf({ tab, checkpoint }: Deps, { cells, rows, columns, differing }: Change): Plan {
  const id = checkpoint.value.staging_tab?.id ?? null
  const fits = (plan: Plan) => {
    const size = sizeOf(plan, { rows, columns })
    return tab.view.hasRoom(rows, columns, { id, cells: size.rows * size.columns })
  }
  const whole: Plan = cells ? { kind: 'cells', cells } : { kind: 'table' }
  if (fits(whole)) return whole
  const ranges = [...differing.ranges()]
  const part: Plan = { kind: 'rows', ranges, rows: rowsIn(ranges) }
  const smaller = !cells && part.rows < rows && ranges.length <= MAX_RANGES ? part : null
  if (smaller && fits(smaller)) return smaller
  const size = sizeOf(smaller ?? whole, { rows, columns })
  throw tab.view.noRoom(rows, columns, { id, ...size })
}

/** The size of the staging tab. */
const sizeOf = (plan: Plan, { rows, columns }: Pick<Change, 'rows' | 'columns'>) => {
  const staged = { cells: 0, table: rows, rows: plan.kind === 'rows' ? plan.rows : 0 }
  return stagingTabSize({ rows: staged[plan.kind], columns })
}

const rowsIn = (ranges: RowRange[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

async function applyPlan(
  plan: Plan,
  deps: Deps,
  change: Change,
  begin: (way: Way) => Promise<void>,
): Promise<Applied> {
  const { tab, context } = deps
  await begin(describeWriteMode(plan.kind))
  try {
    return await stageAndCommit(plan, deps, change)
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    if (error.kind === 'too_large') {
      // The sizes of the other tabs may not have been known, or have grown.
      await tab.view.refresh()
      const other = planOf(deps, change)
      if (other.kind === plan.kind) throw error
      return applyPlan(other, deps, change, begin)
    }
    // Google rejected the request because of its size, before applying any of it.
    if (error.kind !== 'request_too_large' || plan.kind !== 'cells') throw error
    await context.log(`${error.message} The whole table is written instead.`)
    return applyChange(deps, { ...change, cells: null }, begin)
  }
}

/** Stages what the plan says and commits it. All commits of an attempt use the same staging tab where that can be resumed. */
async function stageAndCommit(plan: Plan, deps: Deps, change: Change): Promise<Applied> {
  const { tab, context, checkpoint, staging_tabs, requestSize } = deps
  const { rows, columns } = change
  const size = sizeOf(plan, change)
  const { staging_tab: former } = checkpoint.value
  if (former && (plan.kind === 'rows' || (plan.kind === 'table' && !former.resumable)))
    await staging_tabs.removeStagingTab()
  const patches = plan.kind === 'table' ? worthPatching(tab, change) : null
  const known = checkpoint.value.staging_tab
  const { staging_tab, header } = known
    ? { staging_tab: known, header: null }
    : await createStagingTab(deps, size, {
        seeded: patches !== null,
        header: plan.kind === 'cells' ? change : null,
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
    const table = isPart ? renumbered(change.differing.read()) : change.table(staging_tab.rows)
    const through = reportStagingProgress(context, isPart ? plan.rows : rows)
    await stageRows(deps, staging_tab, rowRequests(table, requestSize), { columns, through })
  }
  await context.progress({ phase: 'Committing' })
  // Another editor may have inserted, deleted or moved rows or columns since the target was read.
  if (header) tab.watch.compare(header, widthOf(change))
  else if (plan.kind !== 'cells' || tab.view.tab.exists) await checkHeader(tab, change, staging_tab.id)
  const content = plan.kind === 'table' ? { kind: 'rows' as const, ranges: [{ from: 0, to: rows }] } : plan
  const { resized, shifted } = await commitChange(tab, { ...change, content }, staging_tab.id)
  await forgetStagingTab(deps, staging_tab.id)
  const warnings = [
    resized && resizedWarning(tab.view.title),
    shifted !== null && shiftedWarning(tab.view.title, shifted),
  ].filter((warning) => warning !== false)
  return { warning: warnings.length > 0 ? warnings.join(' ') : null }
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

import {
  type Change,
  type ChangeMode,
  type NumberedRow,
  OriginFailure,
  type Patches,
  type Way,
} from '../../connector.ts'
import { rowRequests } from '../staging/row-requests.ts'
import type { RunTabs } from '../staging/run-tabs.ts'
import { type StageDeps, stagePatches, stageRows, tellStaged } from '../staging/stage-rows.ts'
import { fenceSize, forgetFence, openFence } from '../staging/staging-tab.ts'
import type { TabChange } from './commit-requests.ts'
import type { TargetTab } from './target-tab.ts'
import { resizedWarning, shiftedWarning, wayOf } from './write-mode.ts'

type Deps = StageDeps & { run_tabs: RunTabs }

/** What came to light only after a change. */
type Applied = { warning: string | null }

/** Turns the tab into what the change says, in the way that there is room for. */
export async function applyChange(
  deps: Deps,
  change: Change,
  begin: (way: Way) => Promise<void>,
): Promise<Applied> {
  return applyBy(modeOf(deps, change), deps, change, begin)
}

/** How a change can be committed: one request with the cells, a table that is staged first, or piece by piece. */
function modeOf({ tab, checkpoint }: Deps, { cells, rows, columns }: Change): ChangeMode {
  const id = checkpoint.value.fence?.id ?? null
  const mode = cells ? 'small' : 'staged'
  const size = fenceSize(mode, { rows, columns })
  return tab.hasRoom(rows, columns, { id, cells: size.rows * size.columns }) ? mode : 'in_place'
}

async function applyBy(
  mode: ChangeMode,
  deps: Deps,
  change: Change,
  begin: (way: Way) => Promise<void>,
): Promise<Applied> {
  const { tab, context, run_tabs } = deps
  await begin(wayOf(mode, tab.title))
  try {
    if (mode !== 'in_place') return await commitFenced(mode, deps, change)
    // What is written without a fence must not be followed by a commit that is still on its way under one.
    await run_tabs.removeFence()
    await writeInPlace(deps, change)
    return { warning: null }
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    if (error.kind === 'too_large') {
      // Google has no room for it: other tabs, which were not asked for before, fill the spreadsheet.
      await tab.refresh()
      const other = modeOf(deps, change)
      if (other === mode) throw error
      return applyBy(other, deps, change, begin)
    }
    // Google took no more than a look at the size of the request.
    if (error.kind !== 'request_too_large' || !change.cells) throw error
    await context.log(`${error.message} The whole table is written instead.`)
    return applyChange(deps, { ...change, cells: null }, begin)
  }
}

/** All at once, under the fence that an earlier commit of this attempt was made under, if it is still there. */
async function commitFenced(
  mode: Exclude<ChangeMode, 'in_place'>,
  deps: Deps,
  change: Change,
): Promise<Applied> {
  const { tab, context, checkpoint, run_tabs, requestSize } = deps
  const { rows, columns, cells } = change
  const size = fenceSize(mode, { rows, columns })
  if (mode === 'staged' && checkpoint.value.fence?.seeded) await run_tabs.removeFence()
  const patches = mode === 'staged' ? worthPatching(tab, change) : null
  const wants = { seeded: patches !== null, header: mode === 'small' ? change : null }
  const known = checkpoint.value.fence
  const { fence, header } = known ? { fence: known, header: null } : await openFence(deps, size, wants)
  const through = tellStaged(context, rows)
  if (patches && fence.seeded) {
    const requests = rowRequests(patches.rows(), requestSize)
    await stagePatches(deps, fence, requests, { columns, through })
  } else if (mode === 'staged') {
    await tab.growFence(fence.id, size)
    const requests = rowRequests(change.table(fence.rows), requestSize)
    await stageRows(deps, fence, requests, { columns, through })
  }
  const content: TabChange['content'] =
    mode === 'small' && cells ? { kind: 'cells', cells } : { kind: 'staged' }
  await context.progress({ phase: 'Committing' })
  // Others may have inserted, deleted or moved rows or columns since the target was read.
  if (header) tab.takeHeader(change, header)
  else if (mode === 'staged' || !tab.isMissing) await tab.lookAtHeader(change, fence.id)
  const { resized, shifted } = await tab.commit({ ...change, content }, fence.id)
  await forgetFence(deps, fence.id)
  const warnings = [
    resized && resizedWarning(tab.title),
    shifted !== null && shiftedWarning(tab.title, shifted),
  ].filter((warning) => warning !== false)
  return { warning: warnings.length > 0 ? warnings.join(' ') : null }
}

/** The patches, if they have less than half the bytes of the whole table. */
const worthPatching = (tab: TargetTab, { patches, bytes }: Change): Patches | null =>
  patches && tab.takesPatches && patches.bytes * 2 < bytes ? patches : null

/** The same without a fence, for want of room: rows are written one after the other, and may be once more, at any time. */
async function writeInPlace(deps: Deps, change: Change): Promise<void> {
  const { tab } = deps
  const { rows, columns, cells } = change
  if (cells) return tab.commitUnfenced({ ...change, content: { kind: 'cells', cells } })
  await tab.prepare(rows, columns)
  await placeRows(deps, change)
  return tab.commitUnfenced({ ...change, content: { kind: 'placed' } })
}

async function placeRows({ tab, context, requestSize }: Deps, change: Change): Promise<void> {
  const { rows, columns, differing } = change
  let done = 0
  for await (const pieces of rowRequests(filledUp(change), requestSize)) {
    await tab.place(pieces, columns)
    for (const { texts } of pieces) done += texts.length
    const rows_total = Math.min(rows, differing.rows)
    await context.progress({ rows_done: done, rows_total, phase: 'Writing in place' })
  }
}

/** The differing rows with '' for blank cells, so that writing them clears what is there. */
async function* filledUp({ columns, differing }: Change): AsyncGenerator<NumberedRow[]> {
  for await (const { row, cells } of differing.read()) {
    const filled = Array.from({ length: columns }, (_, column) => cells[column] ?? '')
    yield [{ row, json: Buffer.from(JSON.stringify(filled)) }]
  }
}

import type { GrowingPatches } from '../connector.ts'
import { fenceSize, openFence } from './fence.ts'
import { rowRequests } from './row-requests.ts'
import { type StageDeps, StagingAhead } from './stage-ahead.ts'
import { stagePatches } from './stage-rows.ts'

/** Stages what differs while the target is still being compared: its own rows, and patches over them as they come. */
export const stagePatchesAhead = (deps: StageDeps, patches: GrowingPatches): StagingAhead =>
  new StagingAhead(patches, (ahead) => stage(ahead, deps, patches))

async function stage(ahead: StagingAhead, deps: StageDeps, patches: GrowingPatches): Promise<void> {
  const { tab, checkpoint, requestSize } = deps
  const { rows, columns } = patches
  // Of a tab that came with its rows the others are not known.
  if (tab.isRead) await tab.refresh()
  const size = fenceSize('staged', { rows, columns })
  const hasRoom = tab.hasRoom(rows, columns, { id: null, cells: size.rows * size.columns })
  if (!hasRoom || ahead.isEnded) return
  const { fence } = await openFence(deps, size, { seeded: true, header: null })
  ahead.hasFence = true
  if (!fence.seeded || ahead.isEnded) return
  const requests = rowRequests(patches.pages(), requestSize, () => patches.isWhole)
  const { through } = ahead
  await stagePatches(deps, fence, ahead.untilEnded(requests), { columns: size.columns, through })
  if (patches.isWhole && !ahead.isEnded) await checkpoint.save({ fence: { ...fence, rows } })
}

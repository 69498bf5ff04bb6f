import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { TargetContext } from '../../target-context.ts'

const StagingTab = z.object({
  id: z.int(),
  /** Staged rows. */
  rows: z.int(),
  /** It began with the target's own rows. */
  seeded: z.boolean().default(false),
  /** Its rows depend only on the copy, so another worker can resume it; otherwise they depend on this worker's comparison. */
  resumable: z.boolean().default(true),
})
/** The staging tab of an attempt, under which all of its commits are made. */
export type StagingTab = z.infer<typeof StagingTab>

/** `new_sheet_id`: id for the target's tab if it has to be created. */
type Checkpoint = { new_sheet_id: number; staging_tab: StagingTab | null }

/** As it is stored, where the staging tab is called `fence`; null until it certainly exists. */
const StoredCheckpoint = z.object({ new_sheet_id: z.int(), fence: StagingTab.nullable() })

/** A new tab id. Google requires positive ones. */
export const newSheetId = () => randomInt(1, 2 ** 31 - 1)

/** Where a worker that takes over a run resumes in its target. */
export class TargetCheckpoint {
  readonly #context: TargetContext
  value: Checkpoint

  /** Resumes the last worker's checkpoint of the attempt, or starts a new one. */
  constructor(context: TargetContext) {
    this.#context = context
    this.value = parseCheckpoint(context.checkpoint)
  }

  /** Changes and stores the checkpoint. A staging tab that is not resumable is not stored. */
  async save(change: Partial<Checkpoint>): Promise<void> {
    this.value = { ...this.value, ...change }
    const { new_sheet_id, staging_tab } = this.value
    await this.#context.save({ new_sheet_id, fence: staging_tab?.resumable ? staging_tab : null })
  }
}

function parseCheckpoint(stored: unknown): Checkpoint {
  if (stored === null) return { new_sheet_id: newSheetId(), staging_tab: null }
  const { new_sheet_id, fence } = StoredCheckpoint.parse(stored)
  return { new_sheet_id, staging_tab: fence }
}

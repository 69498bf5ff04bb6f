import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { TargetContext } from '../../target-context.ts'

const Checkpoint = z.object({
  /** Id for the target's tab, should it have to be created. */
  new_sheet_id: z.int(),
  /**
   * The staging tab that fences the commits of the attempt, and how many rows are staged in it; null until it certainly exists.
   * `seeded`: it began with the target's own rows. `resumable`: its rows depend only on the copy, so another worker can go on with
   * them; otherwise they depend on this worker's comparison, and the tab is not stored.
   */
  fence: z
    .object({
      id: z.int(),
      rows: z.int(),
      seeded: z.boolean().default(false),
      resumable: z.boolean().default(true),
    })
    .nullable(),
})
type Checkpoint = z.infer<typeof Checkpoint>

/** The hidden tab by which all commits of an attempt are fenced, whatever their mode. */
export type Fence = NonNullable<Checkpoint['fence']>

/** An id for a tab, by which it is known before it exists. Positive, as Google wants it. */
export const newSheetId = () => randomInt(1, 2 ** 31 - 1)

/** Where a worker that takes a run over goes on in its target. */
export class TargetCheckpoint {
  readonly #context: TargetContext
  value: Checkpoint

  /** Goes on where the last worker of the attempt was, or begins. */
  constructor(context: TargetContext) {
    this.#context = context
    const { checkpoint } = context
    this.value =
      checkpoint === null ? { new_sheet_id: newSheetId(), fence: null } : Checkpoint.parse(checkpoint)
  }

  /** Changes the checkpoint and stores it. */
  async save(change: Partial<Checkpoint>): Promise<void> {
    this.value = { ...this.value, ...change }
    const { fence } = this.value
    await this.#context.save({ ...this.value, fence: fence?.resumable ? fence : null })
  }
}

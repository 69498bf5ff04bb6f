import { z } from 'zod'
import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import type { RunContext } from '../../../engine/types.ts'

/** A tab that is done. */
const DoneTab = z.object({
  id: z.int(),
  value: z.string(),
  sheet_name: z.string(),
  rows: z.int(),
  columns: z.int(),
  cells_changed: z.int(),
  mode: z.enum(['unchanged', 'small', 'staged', 'in_place', 'preview']),
  target_hash: z.string(),
  is_cleared: z.boolean(),
})
export type DoneTab = z.infer<typeof DoneTab>

const Stored = z.object({
  /** When the run started, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests of the source and of the tabs that are done. */
  reads: z.int(),
  writes: z.int(),
  /** The stored rows of the source; null until they are read. */
  snapshot_id: z.int().nullable(),
  format_sample_rows: z.int().nullable(),
  account: z.string(),
  done: z.array(DoneTab),
  /** Checkpoints of the copies that have begun and are not done, by their tabs. Earlier releases stored one without its tab. */
  begun: z.record(z.string(), z.unknown()).default({}),
  /** The tabs do not fit one commit. */
  is_one_by_one: z.boolean().default(false),
})
type Stored = z.infer<typeof Stored>

/** State from which another worker resumes the run of a split task. */
export class SplitState {
  readonly #context: RunContext
  value: Stored

  constructor(context: RunContext) {
    this.#context = context
    const { checkpoint } = context.run
    this.value =
      checkpoint === null
        ? {
            ...{ started_at: Date.now(), reads: 0, writes: 0, snapshot_id: null, format_sample_rows: null },
            ...{ account: '', done: [], begun: {}, is_one_by_one: false },
          }
        : Stored.parse(checkpoint)
  }

  async save(change: Partial<Stored>): Promise<void> {
    this.value = { ...this.value, ...change }
    await this.#context.checkpoint(this.value)
  }

  /** The context of the copy to a tab, whose checkpoint is part of this one. */
  contextOfTab(id: number): RunContext {
    return {
      ...this.#context,
      run: { ...this.#context.run, checkpoint: this.value.begun[id] ?? null },
      checkpoint: (own) => this.save({ begun: { ...this.value.begun, [id]: own } }),
    }
  }

  /** Stores that a tab is done, with the requests and accounts of its copy. */
  async saveDone(
    tab: DoneTab,
    { reads, writes, account }: Pick<CopyReceipt, 'reads' | 'writes' | 'account'>,
  ) {
    const { [tab.id]: _, ...begun } = this.value.begun
    const accounts = [...this.value.account.split(', '), ...account.split(', ')].filter(Boolean)
    await this.save({
      ...{ done: [...this.value.done, tab], begun, account: [...new Set(accounts)].join(', ') },
      ...{ reads: this.value.reads + reads, writes: this.value.writes + writes },
    })
  }
}

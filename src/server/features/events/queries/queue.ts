import { setTimeout as delay } from 'node:timers/promises'
import type { QuotaBacklog, WaitGroup } from '../../../../contract/waits.ts'
import { readQuotaBacklog } from '../../../engine/quota-backlog.ts'
import { readWaitGroups } from '../../../engine/waits.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'

// With each run that starts, all behind it move up: often enough for people, seldom enough for ten thousand of them.
const LOOK_MS = 1000

/** What changed of the lines in which queued tasks wait, and what a quota holds up now. */
export type QueueChange = {
  /** By what keeps lines apart; null: nobody stands in it any more. */
  lines: ReadonlyMap<string, WaitGroup | null>
  hold_up: QuotaBacklog | null
}
type Options = {
  db: Db
  category: TaskCategory
  onChange: (change: QueueChange) => void
  onError: (error: unknown) => void
}

/** Tells what queued tasks of a category wait for, as far as that changed: once a second at most, and only after it was woken. */
export function followQueue({ db, category, onChange, onError }: Options) {
  const stop = new AbortController()
  let news = Promise.withResolvers<void>()
  let sent = new Map<string, string>()
  let held = ''

  async function look(): Promise<void> {
    const lines = await readWaitGroups(db, category)
    const hold_up = await readQuotaBacklog(db, category)
    const changed = new Map<string, WaitGroup | null>()
    for (const [key, line] of lines) if (sent.get(key) !== line.task_ids.join()) changed.set(key, line)
    for (const key of sent.keys()) if (!lines.has(key)) changed.set(key, null)
    sent = new Map([...lines].map(([key, { task_ids }]) => [key, task_ids.join()]))
    const holds = JSON.stringify(hold_up)
    if (changed.size === 0 && holds === held) return
    held = holds
    onChange({ lines: changed, hold_up })
  }

  async function follow(): Promise<void> {
    for (;;) {
      await news.promise
      if (stop.signal.aborted) return
      news = Promise.withResolvers()
      await look().catch(onError)
      await delay(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const following = follow()
  return {
    wake: () => news.resolve(),
    /** There is a reader who knows nothing yet, or something else. */
    tellAll: () => {
      sent = new Map()
      held = ''
      news.resolve()
    },
    close: async () => {
      stop.abort()
      news.resolve()
      await following
    },
  }
}

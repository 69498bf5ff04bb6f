import { setTimeout as delay } from 'node:timers/promises'
import type { QuotaBacklog, WaitGroup } from '../../../../contract/runs/waits.ts'
import { readQuotaBacklog } from '../../../engine/quota-backlog.ts'
import { readWaitGroups } from '../../../engine/waits.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'

// Minimum refresh interval: each start changes the position of all following tasks, up to ten thousand.
const REFRESH_MS = 1000

/** Changed wait groups and the current quota backlog. */
export type QueueChange = {
  /** By group key. Null: the group is empty. */
  lines: ReadonlyMap<string, WaitGroup | null>
  quota_backlog: QuotaBacklog | null
}
type Options = {
  db: Db
  category: TaskCategory
  onChange: (change: QueueChange) => void
  onError: (error: unknown) => void
}

/** Publishes changes of the wait groups of a category, at most once per second and only after wake(). */
export function followQueue({ db, category, onChange, onError }: Options) {
  const stop = new AbortController()
  let pending = Promise.withResolvers<void>()
  let sent = new Map<string, string>()
  let held = ''

  async function refresh(): Promise<void> {
    const lines = await readWaitGroups(db, category)
    const quota_backlog = await readQuotaBacklog(db, category)
    const changed = new Map<string, WaitGroup | null>()
    for (const [key, line] of lines) if (sent.get(key) !== line.task_ids.join()) changed.set(key, line)
    for (const key of sent.keys()) if (!lines.has(key)) changed.set(key, null)
    sent = new Map([...lines].map(([key, { task_ids }]) => [key, task_ids.join()]))
    const holds = JSON.stringify(quota_backlog)
    if (changed.size === 0 && holds === held) return
    held = holds
    onChange({ lines: changed, quota_backlog })
  }

  async function follow(): Promise<void> {
    for (;;) {
      await pending.promise
      if (stop.signal.aborted) return
      pending = Promise.withResolvers()
      await refresh().catch(onError)
      await delay(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const following = follow()
  return {
    wake: () => pending.resolve(),
    /** Sends the full state, for a new subscriber or after lost notifications. */
    sendAll: () => {
      sent = new Map()
      held = ''
      pending.resolve()
    },
    close: async () => {
      stop.abort()
      pending.resolve()
      await following
    },
  }
}

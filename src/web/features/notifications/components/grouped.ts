import type { Notification } from '../../../../contract/notifications/calls.ts'

/** Notifications with the same reason, newest first: a night of failures is one line for each cause. */
export type NotificationGroup = {
  key: string
  kind: Notification['kind']
  reason: string
  /** All have ended. */
  is_over: boolean
  /** Of the newest. */
  at: string
  /** When the last one ended; null: not all have. */
  over_at: string | null
  unread: readonly string[]
  items: readonly [Notification, ...Notification[]]
}

/** Groups notifications by kind and reason, unread groups first, then by time. Mentions stay single. */
export function groupNotifications(notifications: readonly Notification[]): NotificationGroup[] {
  const lists = new Map<string, [Notification, ...Notification[]]>()
  for (const one of notifications) {
    const key =
      one.kind === 'mention' ? one.key : JSON.stringify([one.kind, one.reason, one.over_at === null])
    const list = lists.get(key)
    if (list) list.push(one)
    else lists.set(key, [one])
  }
  return [...lists]
    .map(([key, items]): NotificationGroup => {
      const [newest] = items
      const is_over = newest.over_at !== null
      const ends = items.flatMap(({ over_at }) => over_at ?? []).sort()
      return {
        ...{ key, items, is_over },
        kind: newest.kind,
        reason: newest.reason,
        at: newest.at,
        over_at: is_over ? (ends.at(-1) ?? null) : null,
        unread: items.filter(({ is_read }) => !is_read).map((item) => item.key),
      }
    })
    .sort(
      (one, other) =>
        Number(other.unread.length > 0) - Number(one.unread.length > 0) || other.at.localeCompare(one.at),
    )
}

/** The page that says why. */
export function pageOf({ task, kind }: Pick<Notification, 'task' | 'kind'>): string {
  if (task === null) return '/schedule'
  if (task.category === 'compiler') return `/compiler/${task.config_id}`
  const page = `/${task.category}_tasks/${task.id}`
  return kind === 'failed' ? `${page}/logs` : page
}

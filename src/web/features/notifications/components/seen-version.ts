import { useSyncExternalStore } from 'react'

const KEY = 'rowferry.seen_version'
const listeners = new Set<() => void>()

const read = () => localStorage.getItem(KEY)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this browser has not shown what is new in this version. A browser without a record has seen it: nothing is new there. */
export function useIsNewVersion(version: string | undefined): boolean {
  const seen = useSyncExternalStore(subscribe, read)
  return version !== undefined && seen !== null && seen !== version
}

/** Records that what is new in this version was shown; `first`: only if there is no record yet. */
export function noteSeenVersion(version: string, { first = false } = {}): void {
  if (first && read() !== null) return
  localStorage.setItem(KEY, version)
  for (const listener of listeners) listener()
}

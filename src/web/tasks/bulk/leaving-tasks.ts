import { useSyncExternalStore } from 'react'

// Tasks that this page has asked to delete, with the call that can be undone until then. Replaced at each change.
let leaving: ReadonlyMap<number, number> = new Map()
const listeners = new Set<() => void>()

function set(next: ReadonlyMap<number, number>): void {
  leaving = next
  for (const listener of listeners) listener()
}

/** Marks tasks as deleted in ten seconds by this call. */
export const markLeaving = (ids: readonly number[], bulk_id: number): void =>
  set(new Map([...leaving, ...ids.map((id) => [id, bulk_id] as const)]))

/** Removes the marks of this call: it was undone or carried out. */
export const unmarkLeaving = (bulk_id: number): void =>
  set(new Map([...leaving].filter(([, call]) => call !== bulk_id)))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The call that will delete a task; undefined: none. */
export const useLeaving = (id: number): number | undefined =>
  useSyncExternalStore(
    subscribe,
    () => leaving.get(id),
    () => undefined,
  )

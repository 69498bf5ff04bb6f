import { useSyncExternalStore } from 'react'
import type { LeavingTasks } from '../../../contract/bulk/leaving.ts'

/** The call that will delete a task, and who has asked for it; null: this page. */
type Leaving = { bulk_id: number; by: string | null }
type Marks = ReadonlyMap<number, Leaving>

// Tasks that this page has asked to delete, and those that the server reports. Replaced at each change.
let asked: Marks = new Map()
let reported: Marks = new Map()
const listeners = new Set<() => void>()

function set(next: { asked?: Marks; reported?: Marks }): void {
  asked = next.asked ?? asked
  reported = next.reported ?? reported
  for (const listener of listeners) listener()
}

/** Marks tasks as deleted in ten seconds by this call. */
export const markLeaving = (ids: readonly number[], bulk_id: number): void =>
  set({ asked: new Map([...asked, ...ids.map((id) => [id, { bulk_id, by: null }] as const)]) })

/** Marks exactly the tasks that the server reports, also those of other pages and users. */
export const reportLeaving = (calls: readonly LeavingTasks[]): void =>
  set({
    reported: new Map(
      calls.flatMap(({ bulk_id, task_ids, by, is_own }) =>
        task_ids.map((id) => [id, { bulk_id, by: is_own ? null : by }] as const),
      ),
    ),
  })

/** Removes the marks of this call: it was undone or carried out. */
export function unmarkLeaving(bulk_id: number): void {
  const others = (marks: Marks) => new Map([...marks].filter(([, mark]) => mark.bulk_id !== bulk_id))
  set({ asked: others(asked), reported: others(reported) })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The call that will delete a task; undefined: none. */
export const useLeaving = (id: number): Leaving | undefined =>
  useSyncExternalStore(
    subscribe,
    () => asked.get(id) ?? reported.get(id),
    () => undefined,
  )

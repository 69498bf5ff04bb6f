import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { useSession } from '../../lib/session.ts'

const Stored = z.object({
  group: z.catch(z.enum(['type', 'owner', 'tag']), 'type'),
  is_dense: z.catch(z.boolean(), false),
})
/** How lists of tasks are shown: what their groups are, and whether rows are dense. */
export type ListDisplay = z.infer<typeof Stored>

const listeners = new Set<() => void>()
const keyOf = (user_id: number | undefined) => `rowferry.list_display.${user_id ?? ''}`

/** Parses a stored choice; what is invalid counts as not chosen. */
export function parseDisplay(text: string | null): ListDisplay {
  try {
    return Stored.parse(JSON.parse(text ?? '{}'))
  } catch {
    return { group: 'type', is_dense: false }
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab has changed it.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The choice of the signed-in user, which the browser stores, and a function that changes it. */
export function useListDisplay(): [ListDisplay, (change: Partial<ListDisplay>) => void] {
  const key = keyOf(useSession()?.user?.id)
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const display = useMemo(() => parseDisplay(text), [text])
  const change = (part: Partial<ListDisplay>) => {
    localStorage.setItem(key, JSON.stringify({ ...display, ...part }))
    for (const listener of listeners) listener()
  }
  return [display, change]
}

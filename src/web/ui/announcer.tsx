import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

type Announcement = { message: string; number: number }

let current: Announcement = { message: '', number: 0 }
const listeners = new Set<() => void>()

/** Replaces the message of the live region, which a screen reader reads after its current output; also if it is the same as before. */
export function announce(message: string): void {
  current = { message, number: current.number + 1 }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The live region of the page, filled by `announce`. */
export function Announcer() {
  const { message, number } = useSyncExternalStore(subscribe, () => current)
  // A new element for each message, because screen readers do not read an unchanged text again.
  return (
    <VisuallyHidden role="status" aria-live="polite">
      <span key={number}>{message}</span>
    </VisuallyHidden>
  )
}

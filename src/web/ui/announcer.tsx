import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

let spoken = ''
const listeners = new Set<() => void>()

/** Has a screen reader say `text` when it has finished what it is saying. */
export function announce(text: string): void {
  spoken = text
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The one live region of the page; `announce` fills it. */
export function Announcer() {
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {useSyncExternalStore(subscribe, () => spoken)}
    </VisuallyHidden>
  )
}

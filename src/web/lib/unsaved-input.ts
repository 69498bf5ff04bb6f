import { useEffect, useState } from 'react'

const unsaved = new Set<symbol>()

// the browser asks in words of its own
const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()

function hold(input: symbol): () => void {
  unsaved.add(input)
  // only while it is needed: a page that listens is not kept for the way back
  window.addEventListener('beforeunload', askBrowser)
  return () => {
    unsaved.delete(input)
    if (unsaved.size === 0) window.removeEventListener('beforeunload', askBrowser)
  }
}

/** Whether leaving the page would discard unsaved input. */
export const hasUnsavedInput = () => unsaved.size > 0

/** While `dirty` holds, leaving the page asks first: by a link, by the way back, by closing or reloading the tab. */
export function useUnsavedInput(dirty: boolean): void {
  const [self] = useState(() => Symbol())
  useEffect(() => (dirty ? hold(self) : undefined), [dirty, self])
}

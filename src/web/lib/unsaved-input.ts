import { useEffect, useState } from 'react'

const unsaved = new Set<symbol>()

// The browser shows its own dialog.
const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()

function hold(input: symbol): () => void {
  unsaved.add(input)
  // Only while needed: a page with this listener is excluded from the back/forward cache.
  window.addEventListener('beforeunload', askBrowser)
  return () => {
    unsaved.delete(input)
    if (unsaved.size === 0) window.removeEventListener('beforeunload', askBrowser)
  }
}

/** Whether leaving the page would discard unsaved input. */
export const hasUnsavedInput = () => unsaved.size > 0

/** While `dirty`, leaving the page asks for confirmation: links, back navigation, closing or reloading the tab. */
export function useUnsavedInput(dirty: boolean): void {
  const [self] = useState(() => Symbol())
  useEffect(() => (dirty ? hold(self) : undefined), [dirty, self])
}

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Path } from './paths.ts'

/** What stands out in the picture. `entry`: the card that the Tab key leads to; the others are walked to by arrow keys. */
type Shown = { path: Path | null; selected: number | null; entry: number | null }

/** The same for those who draw it: only what it changes for is drawn again. */
export class Highlight {
  shown: Shown = { path: null, selected: null, entry: null }
  readonly #listeners = new Set<() => void>()

  show(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change }
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

export const HighlightContext = createContext(new Highlight())

/** What it means for somebody. */
export function useHighlight<T>(of: (shown: Shown) => T): T {
  const highlight = useContext(HighlightContext)
  return useSyncExternalStore(highlight.subscribe, () => of(highlight.shown))
}

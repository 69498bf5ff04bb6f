import { type KeyboardEvent, useRef, useState } from 'react'

/** Which place an arrow key leads to; undefined: the key does nothing. */
export type Steps = (key: string, place: number) => number | undefined

/**
 * One of several buttons is reached by Tab, the arrow keys lead to the others. Buttons carry their place as `data-place`.
 * `places` counts them; `start` is the first one to be reached.
 */
export function useRovingFocus(places: number, start: number, steps: Steps) {
  const list = useRef<HTMLElement>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const current = Math.min(focused ?? start, Math.max(0, places - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = steps(event.key, current)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const button = list.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)
    if (button) button.focus()
  }
  const props = (place: number) => ({
    'data-place': place,
    tabIndex: place === current ? 0 : -1,
    onFocus: () => setFocused(place),
    onKeyDown,
  })
  const ref = (element: HTMLElement | null) => {
    list.current = element
  }
  return { ref, props }
}

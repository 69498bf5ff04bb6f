import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { Tone } from '../../../ui/badge.tsx'

/** Value of a CSS variable, optionally for a category or tone. */
export type Colours = (variable: string, of?: { category: TaskCategory } | { tone: Tone }) => string

/** Colours that apply to `element`, read once each, in a format that canvas accepts. */
export function coloursOf(element: HTMLElement): Colours {
  const known = new Map<string, string>()
  return (variable, of) => {
    const key = [variable, ...Object.values(of ?? {})].join(' ')
    const before = known.get(key)
    if (before !== undefined) return before
    Object.assign(element.dataset, of)
    element.style.color = `var(--${variable})`
    const { color } = getComputedStyle(element)
    element.style.removeProperty('color')
    for (const mark of Object.keys(of ?? {})) delete element.dataset[mark]
    known.set(key, color)
    return color
  }
}

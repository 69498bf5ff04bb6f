import type { RefObject } from 'react'
import { useShortcut } from './use-shortcut.ts'

/**
 * Moves the focus with j and k between the rows of a list, each to its element with `data-first`. Returns a function that gives the row
 * that has the focus, with its position among the rendered rows.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, row: 'article' | 'tbody tr') {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(row) ?? [])]
  const focused = () => {
    const all = rows()
    const position = all.findIndex((one) => one.contains(document.activeElement))
    const element = all[position]
    return element && { element, position }
  }
  const move = (by: 1 | -1) => {
    const all = rows()
    const from = focused()
    const next = from ? all[from.position + by] : all.find(isInSight)
    next?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
    // Its margins keep it clear of the header and of the bar of selected tasks.
    next?.scrollIntoView({ block: 'nearest' })
  }
  useShortcut('next_row', () => move(1))
  useShortcut('previous_row', () => move(-1))
  return focused
}

const HEADER_HEIGHT = 56

const isInSight = (row: HTMLElement) => row.getBoundingClientRect().top >= HEADER_HEIGHT

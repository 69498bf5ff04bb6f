import { useEffect, useRef, useState } from 'react'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'

/**
 * Holds new lines back while the top of the log is above the viewport, so that what is being read does not move. `top` marks the top;
 * `release` shows the lines and scrolls to them.
 */
export function useHeldLines(lines: readonly TaskLogLine[]) {
  const top = useRef<HTMLDivElement>(null)
  const [is_away, setAway] = useState(false)
  const [newest, setNewest] = useState<number | null>(null)
  useEffect(() => {
    const mark = top.current
    if (!mark) return
    const observer = new IntersectionObserver(([entry]) =>
      setAway(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0),
    )
    observer.observe(mark)
    return () => observer.disconnect()
  }, [])
  // The newest line when the reader scrolled away.
  const held_from = is_away ? (newest ?? lines[0]?.id ?? null) : null
  if (held_from !== newest) setNewest(held_from)
  const first = held_from === null ? 0 : lines.findIndex(({ id }) => id <= held_from)
  // All lines are newer after a change of the filters.
  const count = Math.max(0, first)
  return {
    top,
    shown: count === 0 ? lines : lines.slice(count),
    count,
    release: () => top.current?.scrollIntoView({ block: 'center' }),
  }
}

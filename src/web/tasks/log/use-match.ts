import type { InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import type { LogPage } from './log-cache.ts'

type Options = {
  /** Lines that the search finds, as far as they are loaded. */
  lines: readonly TaskLogLine[]
  search: string
  /** Loads older lines; null: there are none. */
  more: (() => Promise<InfiniteData<LogPage> | undefined>) | null
}

/** The line that the search is at, and how to go on. `place` counts from 1; 0: at none. Starts again with another search. */
export function useMatch({ lines, search, more }: Options) {
  const [at, setAt] = useState<{ search: string; id: number } | null>(null)
  const id = at !== null && at.search === search ? at.id : null
  const index = id === null ? -1 : lines.findIndex((line) => line.id === id)
  const goTo = (line: TaskLogLine | undefined) => line && setAt({ search, id: line.id })
  return {
    id: index < 0 ? null : id,
    place: index + 1,
    /** The next older line; after the oldest one the newest. */
    next: async () => {
      const loaded = lines[index + 1]
      if (loaded || !more) return goTo(loaded ?? lines[0])
      const older = (await more())?.pages.flatMap((page) => page.lines) ?? []
      goTo(older[older.findIndex((line) => line.id === id) + 1])
    },
    /** The next newer line; before the newest one the oldest that is loaded. */
    previous: () => goTo(lines[index < 0 ? 0 : index - 1] ?? lines.at(-1)),
  }
}

export type Match = ReturnType<typeof useMatch>

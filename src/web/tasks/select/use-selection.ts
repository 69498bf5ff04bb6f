import { useCallback, useMemo, useRef, useState } from 'react'
import { rangeOf, withIds } from './selection.ts'

export type SelectTask = (id: number, on: boolean, extend: boolean) => void
export type SelectTasks = (ids: readonly number[], on: boolean) => void

/**
 * The selected tasks of a list by id: filters, paging and live updates do not change them. `order`: ids in the order of the list.
 * The callbacks are stable, so that rows are not rendered again.
 */
export function useSelection(order: readonly number[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const anchor = useRef<number | null>(null)
  const current = useRef(order)
  current.current = order
  const selectTask: SelectTask = useCallback((id, on, extend) => {
    const range = extend ? rangeOf(current.current, anchor.current, id) : [id]
    anchor.current = id
    setIds((before) => withIds(before, range, on))
  }, [])
  const selectTasks: SelectTasks = useCallback(
    (some, on) => setIds((before) => withIds(before, some, on)),
    [],
  )
  const clear = useCallback(() => {
    anchor.current = null
    setIds(new Set())
  }, [])
  return useMemo(() => ({ ids, selectTask, selectTasks, clear }), [ids, selectTask, selectTasks, clear])
}

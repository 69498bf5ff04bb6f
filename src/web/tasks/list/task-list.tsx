import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { GroupHead } from '../list/group-head.tsx'
import { type Group, groupTasks, linesOf } from '../list/groups.ts'
import type { RowRequests } from '../list/row-requests.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './task-list.module.css'
import { TaskRow } from './task-row.tsx'

type Props = {
  tasks: readonly Task[]
  /** All tasks by type, those that are not shown included. */
  whole: readonly Group[]
  requests: RowRequests
  /** Task to bring into sight as soon as it is in the list. */
  reveal: number | null
  onRevealed: () => void
}

/** Tasks grouped by type; only the lines near the window exist, so ten thousand tasks scroll like ten. */
export function TaskList({ tasks, whole, requests, reveal, onRevealed }: Props) {
  const [folded, setFolded] = useState<ReadonlySet<number | null>>(new Set())
  const fold = useCallback(
    (id: number | null) =>
      setFolded((before) =>
        before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
      ),
    [],
  )
  const descriptor = useDescriptor()
  const lines = useMemo(() => linesOf(groupTasks(descriptor, tasks), folded), [descriptor, tasks, folded])

  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // what stands above the list changes with the filters and the window
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? 68 : 56),
    getItemKey: (index) => {
      const line = lines[index]
      return line === undefined ? index : line.kind === 'group' ? `group ${line.group.id}` : line.task.id
    },
    scrollMargin: top,
    // not rounded: a line would hide the border of the one above
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: 8,
  })
  const place = reveal === null ? -1 : lines.findIndex((one) => one.kind === 'task' && one.task.id === reveal)
  useEffect(() => {
    if (place < 0) return
    virtual.scrollToIndex(place)
    onRevealed()
  }, [place, virtual, onRevealed])

  return (
    <div ref={list} className={classes.list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const line = lines[index]
        return (
          line && (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.line}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {line.kind === 'group' ? (
                <GroupHead
                  group={line.group}
                  whole={whole.find(({ id }) => id === line.group.id) ?? line.group}
                  folded={folded.has(line.group.id)}
                  last={line.last}
                  onFold={fold}
                />
              ) : (
                <TaskRow task={line.task} last={line.last} requests={requests} />
              )}
            </div>
          )
        )
      })}
    </div>
  )
}

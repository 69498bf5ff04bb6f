import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { SelectTask, SelectTasks } from '../select/use-selection.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { GroupHead } from './group-head.tsx'
import { type Group, groupTasksBy, linesOf } from './groups.ts'
import type { ListDisplay } from './list-display.ts'
import { RowKeys } from './row-keys.tsx'
import type { RowRequests } from './row-requests.ts'
import classes from './task-list.module.css'
import { TaskRow } from './task-row.tsx'

type Props = {
  tasks: readonly Task[]
  /** All tasks in their groups, including those hidden by filters. */
  whole: readonly Group[]
  display: ListDisplay
  requests: RowRequests
  /** Task to scroll to as soon as the list contains it. */
  reveal: number | null
  onRevealed: () => void
  selected: ReadonlySet<number>
  onSelectTask: SelectTask
  onSelectTasks: SelectTasks
}

/** Tasks in their groups. Virtualized: only lines near the viewport are rendered. */
export function TaskList({
  tasks,
  whole,
  display,
  requests,
  reveal,
  onRevealed,
  selected,
  onSelectTask,
  onSelectTasks,
}: Props) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const fold = useCallback(
    (key: string) =>
      setFolded((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  )
  const descriptor = useDescriptor()
  const lines = useMemo(
    () => linesOf(groupTasksBy(descriptor, tasks, display.group), folded),
    [descriptor, tasks, display.group, folded],
  )

  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // Filters and window size change the height of the content above the list.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? 68 : display.is_dense ? 36 : 56),
    getItemKey: (index) => lines[index]?.key ?? index,
    scrollMargin: top,
    // Rounding would overlap the border of the previous line.
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
    <div
      ref={list}
      className={classes.list}
      data-dense={display.is_dense || undefined}
      style={{ height: virtual.getTotalSize() }}
    >
      <RowKeys list={list} lines={lines} requests={requests} />
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
                  whole={whole.find(({ key }) => key === line.group.key) ?? line.group}
                  folded={folded.has(line.group.key)}
                  last={line.last}
                  onFold={fold}
                  selected={selected}
                  onSelect={onSelectTasks}
                />
              ) : (
                <TaskRow
                  task={line.task}
                  last={line.last}
                  requests={requests}
                  selected={selected.has(line.task.id)}
                  onSelect={onSelectTask}
                />
              )}
            </div>
          )
        )
      })}
    </div>
  )
}

import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { LogTable } from '../../ui/log-table.tsx'
import { itemsOf } from '../log/log-items.ts'
import { rowOf } from '../log/row-of.tsx'
import { RunHeading, useRunLabels } from '../log/run-heading.tsx'

/** Some lines of a task's log, newest first, separated by run. */
export function TaskLog({ task_id, entries }: { task_id: number; entries: TaskLogLine[] }) {
  const labels = useRunLabels(task_id, [])
  const items = itemsOf(entries)
  return (
    <LogTable
      count={items.length}
      keyAt={(index) => {
        const item = items[index]
        return item === undefined ? index : item.kind === 'run' ? item.key : item.line.id
      }}
      timeLabel="Timestamp"
      rowAt={(index) => {
        const item = items[index]
        if (item?.kind === 'run') return { heading: <RunHeading run_id={item.run_id} labels={labels} /> }
        return item && rowOf(item.line)
      }}
    />
  )
}

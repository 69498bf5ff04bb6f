import { useMemo } from 'react'
import { selectionMessages as messages } from '../../../contract/selection/client-messages.ts'
import type { Task } from '../task-model.ts'
import classes from './select-all.module.css'
import { SelectBox } from './select-box.tsx'
import { stateOf } from './selection.ts'
import type { SelectTasks } from './use-selection.ts'

type Props = {
  /** The tasks that the filters show. */
  tasks: readonly Task[]
  filtered: boolean
  /** False while more tasks are loading. */
  complete: boolean
  selected: ReadonlySet<number>
  onSelect: SelectTasks
}

/** Checkbox above the list: selects the tasks that the filters show, as far as they are loaded. */
export function SelectAll({ tasks, filtered, complete, selected, onSelect }: Props) {
  const ids = useMemo(() => tasks.map(({ id }) => id), [tasks])
  const text = !complete
    ? messages.select_loaded(ids.length)
    : filtered
      ? messages.select_matching(ids.length)
      : messages.select_all(ids.length)
  return (
    <div className={classes.line}>
      <SelectBox label={text} state={stateOf(selected, ids)} onChange={(on) => onSelect(ids, on)} />
      <span aria-hidden>{text}</span>
    </div>
  )
}

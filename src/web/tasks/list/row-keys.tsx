import { lazy, type RefObject, Suspense, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { useRowFocus } from '../../ui/use-row-focus.ts'
import { useShortcut } from '../../ui/use-shortcut.ts'
import { useRun } from '../actions/run-actions.ts'
import { useToggleFavourite } from '../favourites/favourites.ts'
import { lockOf, runRefusal } from '../state/locks.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { nameInText, type Task } from '../task-model.ts'
import type { Line } from './groups.ts'
import type { RowRequests } from './row-requests.ts'

const RunConfirmDialog = lazy(async () => ({
  default: (await import('../actions/run-confirm-dialog.tsx')).RunConfirmDialog,
}))

type Props = {
  /** The list, whose rendered lines have their number in `data-index`. */
  list: RefObject<HTMLElement | null>
  lines: readonly Line[]
  requests: RowRequests
}

/** Shortcuts on the rows of a list: the focus moves from row to row, and the focused task runs, after a question, or is edited. */
export function RowKeys({ list, lines, requests }: Props) {
  const descriptor = useDescriptor()
  const [asked, setAsked] = useState<Task | null>(null)
  const toggleFavourite = useToggleFavourite()
  const focused = useRowFocus(list, 'article')
  const onTask = (refusal: (task: Task) => string | null, act: (task: Task) => void) => {
    const line = lines[Number(focused()?.element.closest<HTMLElement>('[data-index]')?.dataset.index)]
    if (line?.kind !== 'task') return
    const why = refusal(line.task)
    if (why === null) act(line.task)
    else toast.info(why)
  }
  useShortcut('run_row', () => onTask((task) => runRefusal(descriptor, task), setAsked))
  useShortcut('edit_row', () => onTask((task) => lockOf(descriptor, task), requests.edit))
  useShortcut('favourite_row', () =>
    onTask(
      () => null,
      ({ id }) => toggleFavourite(id),
    ),
  )
  return <Suspense>{asked && <RunQuestion task={asked} onClose={() => setAsked(null)} />}</Suspense>
}

function RunQuestion({ task, onClose }: { task: Task; onClose: () => void }) {
  const run = useRun(task)
  return (
    <RunConfirmDialog name={nameInText(useDescriptor(), task)} onConfirm={run.mutate} onClose={onClose} />
  )
}

import { useState } from 'react'
import type { SourceTask, WaitingRows } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { DecisionButtons, renamedColumns, WaitingReasons } from './waiting-rows.tsx'

type Props = { task: SourceTask; onClose: () => void }

/** Dialog of the list to accept or discard rows that need approval. */
export const WaitingDialog = ({ task, onClose }: Props) =>
  task.waiting && (
    <OneDialog key={task.waiting.snapshot_id} task={task} waiting={task.waiting} onClose={onClose} />
  )

function OneDialog({ task, waiting, onClose }: Props & { waiting: WaitingRows }) {
  const [names, setNames] = useState(renamedColumns(waiting))
  return (
    <Dialog title={`${sourceMessages.waits}: ${task.name}`} size="lg" onClose={onClose}>
      <div>
        <WaitingReasons task={task} waiting={waiting} names={names} onNames={setNames} />
        <DialogFooter>
          <DecisionButtons task={task} waiting={waiting} names={names} onDone={onClose} />
        </DialogFooter>
      </div>
    </Dialog>
  )
}

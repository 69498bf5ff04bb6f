import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { DecisionButtons, WaitingReasons } from './waiting-rows.tsx'

/** Lets a person accept or discard the rows of a task that wait, from the list. */
export function WaitingDialog({ task, onClose }: { task: SourceTask; onClose: () => void }) {
  const { waiting } = task
  return (
    waiting && (
      <Dialog title={`${sourceMessages.waits}: ${task.name}`} size="lg" onClose={onClose}>
        <div>
          <WaitingReasons task={task} waiting={waiting} />
          <DialogFooter>
            <DecisionButtons task={task} waiting={waiting} onDone={onClose} />
          </DialogFooter>
        </div>
      </Dialog>
    )
  )
}

import { Button } from '@mantine/core'
import type { Preview } from '../../../../contract/plans/calls.ts'
import { previewMessages as messages } from '../../../../contract/previews/client-messages.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import classes from './preview-list.module.css'
import { outcomeOf } from './totals.ts'

/** Plans that a confirmation names. */
const MAX_NAMED = 12

type Props = { chosen: readonly Preview[]; left_out: number; onConfirm: () => void; onClose: () => void }

/** Confirmation before several plans are written; names those that lose data. */
export function ApplyAllDialog({ chosen, left_out, onConfirm, onClose }: Props) {
  const dangerous = chosen.filter((preview) => outcomeOf(preview) === 'danger')
  const named = dangerous.slice(0, MAX_NAMED)
  return (
    <Dialog title={messages.confirm(chosen.length)} onClose={onClose}>
      {dangerous.length > 0 && (
        <>
          <p className={classes.losses}>{messages.confirm_losses(dangerous.length)}</p>
          <ul className={classes.named}>
            {named.map(({ run_id, task, task_name, plan }) => (
              <li key={run_id}>
                <b>{task ? titleText(taskTitle(task)) : task_name}</b>{' '}
                {plan?.summary.lines
                  .filter(({ level }) => level === 'danger')
                  .map(({ text }) => text.replace(/\.$/, ''))
                  .join('. ')}
              </li>
            ))}
            {dangerous.length > named.length && <li>{messages.and_more(dangerous.length - named.length)}</li>}
          </ul>
        </>
      )}
      <p>{messages.confirm_text}</p>
      {left_out > 0 && <p>{messages.confirm_refused(left_out)}</p>}
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button {...(dangerous.length > 0 && { color: 'red.9' })} onClick={onConfirm}>
          {messages.write_all(chosen.length)}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

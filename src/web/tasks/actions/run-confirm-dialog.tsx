import { Button } from '@mantine/core'
import { searchMessages as messages } from '../../../contract/search/dialog-messages.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'

/** Confirmation before a run that a key starts; Run has the initial focus, since a second key press is needed. */
export function RunConfirmDialog({
  name,
  onConfirm,
  onClose,
}: {
  name: string
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={messages.ask_run(name)} onClose={onClose}>
      <p>{messages.ask_run_text}</p>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          data-autofocus
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          Run
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

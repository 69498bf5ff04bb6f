import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog, DialogFooter } from './dialog.tsx'

type Props = {
  title: string
  /** What will be lost. */
  children: ReactNode
  confirm: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is lost; Cancel has the focus. */
export function ConfirmDialog({ title, children, confirm, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>
        {children}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" onClick={onConfirm} loading={busy}>
            {confirm}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

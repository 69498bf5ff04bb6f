import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog, DialogFooter } from './dialog.tsx'

type Props = {
  title: string
  /** What will be lost. */
  children: ReactNode
  confirm: string
  cancel?: string
  busy: boolean
  /** Disables the confirm button, for a reason given in the text. */
  blocked?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Confirmation before data is lost; Cancel has the initial focus. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel = 'Cancel',
  busy,
  blocked = false,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>
        {children}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancel}
          </Button>
          <Button color="red.9" onClick={onConfirm} loading={busy} disabled={blocked}>
            {confirm}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

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
  /** What is said above stands in the way. */
  blocked?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is lost; the answer that loses nothing has the focus. */
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

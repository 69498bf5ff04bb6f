import { Button } from '@mantine/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useUnsavedInput } from '../lib/unsaved-input.ts'
import { Dialog } from './dialog.tsx'
import { DiscardDialog } from './discard-dialog.tsx'

const Close = createContext(() => {})

type Props = {
  title: string
  size?: string
  /** Contains unsaved input. */
  dirty: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form: asks for confirmation before unsaved input is discarded. Full screen on phones. */
export function FormDialog({ dirty, onClose, children, ...rest }: Props) {
  const [asking, setAsking] = useState(false)
  const close = () => (dirty ? setAsking(true) : onClose())
  useUnsavedInput(dirty)
  return (
    <Dialog {...rest} onClose={close} form>
      <Close value={close}>{children}</Close>
      {asking && <DiscardDialog onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </Dialog>
  )
}

/** Closes the surrounding dialog, like Escape. */
export const CancelButton = ({ label = 'Cancel' }: { label?: string }) => (
  <Button variant="default" onClick={useContext(Close)}>
    {label}
  </Button>
)

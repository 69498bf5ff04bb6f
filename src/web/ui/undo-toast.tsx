import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { selectionDialogMessages as messages } from '../../contract/selection/dialog-messages.ts'
import { showContentToast } from './content-toast.tsx'

type UndoToast = { tone: 'success' | 'warning'; message: string; ms: number; onUndo: () => void }

/** Shows a message with an Undo button for a limited time. Ctrl+Z or Cmd+Z outside text fields presses it. */
export const showUndoToast = ({ message, onUndo, ...toast }: UndoToast): Promise<void> =>
  showContentToast({
    ...toast,
    content: (close) => <UndoMessage message={message} onUndo={onUndo} onClose={close} />,
  })

type Props = { message: string; onUndo: () => void; onClose: () => void }

function UndoMessage({ message, onUndo, onClose }: Props) {
  const undo = () => {
    onClose()
    onUndo()
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        event.key !== 'z' ||
        event.shiftKey ||
        !(event.ctrlKey || event.metaKey) ||
        isTextField(event.target)
      )
        return
      event.preventDefault()
      undo()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return (
    <>
      <span>{message}</span>{' '}
      <Button variant="default" size="compact-sm" onClick={undo}>
        {messages.undo}
      </Button>
    </>
  )
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox')

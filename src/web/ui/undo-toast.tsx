import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { selectionDialogMessages as messages } from '../../contract/selection/dialog-messages.ts'
import { showContentToast } from './content-toast.tsx'

type UndoToast = { tone: 'success' | 'warning'; message: string; ms: number; onUndo: () => void }

/** Shows a message with an Undo button for a limited time. Ctrl+Z or Cmd+Z outside text fields presses that of the last message. */
export const showUndoToast = ({ message, onUndo, ...toast }: UndoToast): Promise<void> =>
  showContentToast({
    ...toast,
    content: (close) => <UndoMessage message={message} onUndo={onUndo} onClose={close} />,
  })

type Props = { message: string; onUndo: () => void; onClose: () => void }

/** The messages whose Undo was not pressed, the last one at the end. */
let shown: readonly object[] = []
const forget = (message: object) => {
  shown = shown.filter((one) => one !== message)
}

function UndoMessage({ message, onUndo, onClose }: Props) {
  const [own] = useState({})
  const undo = () => {
    forget(own)
    onClose()
    onUndo()
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== 'z' || event.shiftKey) return
    if (!(event.ctrlKey || event.metaKey) || isTextField(event.target)) return
    event.preventDefault()
    undo()
  })
  useEffect(() => {
    shown = [...shown, own]
    const listen = (event: KeyboardEvent) => {
      if (shown.at(-1) === own) onKeyDown(event)
    }
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      forget(own)
    }
  }, [own])
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

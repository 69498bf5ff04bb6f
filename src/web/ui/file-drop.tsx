import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import classes from './file-drop.module.css'

type Props = {
  /** Description of the file, such as "a CSV file". */
  what: string
  /** File types, as an input's `accept`. */
  accept: string
  hint: string
  busy: boolean
  onFiles: (files: File[]) => void
}

/** A drop area with a button that opens the file picker. */
export function FileDrop({ what, accept, hint, busy, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!busy) onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the button works without one
    <div
      className={classes.area}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        // dragleave also fires when the pointer enters a child.
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        setOver(false)
      }}
      onDrop={take}
    >
      <IconFileUpload size={28} aria-hidden />
      <p>Drop {what} here, or</p>
      <Button variant="default" loading={busy} onClick={() => input.current?.click()}>
        Choose {what}
      </Button>
      <small>{hint}</small>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // Allows the same file to be selected again.
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

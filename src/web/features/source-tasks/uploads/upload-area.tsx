import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { READABLE_FILES } from '../../../../contract/files/providers.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import classes from './upload-area.module.css'

/** A button that opens the file picker, in an area on which a file can be dropped. */
export function UploadArea({ busy, onFiles }: { busy: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
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
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      <Button
        variant="default"
        size="xs"
        leftSection={<IconFileUpload size={15} aria-hidden />}
        loading={busy}
        onClick={() => input.current?.click()}
      >
        {messages.upload}
      </Button>
      <small>{messages.drop_hint}</small>
      <input
        ref={input}
        type="file"
        accept={READABLE_FILES.join(',')}
        hidden
        aria-label={messages.upload}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // Allows the same file to be selected again.
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

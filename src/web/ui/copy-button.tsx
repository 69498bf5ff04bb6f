import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { toast } from './toast.ts'

type Props = {
  text: string
  /** What is said once it is in the clipboard. */
  copied: string
  children: string
}

/** Copies a text; not there where the page may not use the clipboard. */
export const CopyButton = ({ text, copied, children }: Props) =>
  // browsers give the clipboard to pages behind https, or on this machine, only
  window.isSecureContext && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconCopy size={15} aria-hidden />}
      onClick={async () => {
        await navigator.clipboard.writeText(text)
        toast.success(copied)
      }}
    >
      {children}
    </Button>
  )

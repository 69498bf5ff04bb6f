import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { toast } from './toast.ts'

type Props = {
  text: string
  /** Toast after copying. */
  copied: string
  children: string
}

/** Copies a text; not rendered where the clipboard is unavailable. */
export const CopyButton = ({ text, copied, children }: Props) =>
  // Browsers allow clipboard access only over https or on localhost.
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

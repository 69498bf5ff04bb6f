import type { ReactNode } from 'react'
import { TOAST_SHOWN } from './toast.ts'

type ContentToast = {
  tone: 'success' | 'warning'
  ms: number
  /** What it shows; `close` closes it. */
  content: (close: () => void) => ReactNode
}

/** Shows a message with buttons or links for a limited time, in milliseconds. */
export async function showContentToast({ tone, ms, content }: ContentToast): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  const id = notifications.show({
    message: content(() => notifications.hide(id)),
    // The timer of Mantine starts again when the pointer leaves; this one must not.
    autoClose: false,
    className: `toast toast-${tone}`,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close message' },
  })
  setTimeout(() => notifications.hide(id), ms)
  dispatchEvent(new Event(TOAST_SHOWN))
}

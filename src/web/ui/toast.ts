import { limits } from '../../contract/limits.ts'

/** Event of the window: there is a message to show. */
export const TOAST_SHOWN = 'toast-shown'

async function show(tone: string, message: string, autoClose: number | false): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({
    message,
    autoClose,
    className: `toast toast-${tone}`,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close message' },
  })
  dispatchEvent(new Event(TOAST_SHOWN))
}

/** Short messages at the bottom right: 3 s, errors 8 s, or as many milliseconds as they are given; false: until they are closed. */
export const toast = {
  success: (message: string, ms: number | false = limits.toast_ms) => void show('success', message, ms),
  info: (message: string, ms: number | false = limits.toast_ms) => void show('info', message, ms),
  warning: (message: string, ms: number | false = limits.toast_ms) => void show('warning', message, ms),
  error: (message: string, ms: number | false = limits.error_toast_ms) => void show('error', message, ms),
}

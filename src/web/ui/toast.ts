import { limits } from '../../contract/limits.ts'

/** Window event: a toast was shown. */
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

/** Toasts at the bottom right: 3 s, errors 8 s, or a given number of milliseconds; false: until closed. */
export const toast = {
  success: (message: string, ms: number | false = limits.toast_ms) => void show('success', message, ms),
  info: (message: string, ms: number | false = limits.toast_ms) => void show('info', message, ms),
  warning: (message: string, ms: number | false = limits.toast_ms) => void show('warning', message, ms),
  error: (message: string, ms: number | false = limits.error_toast_ms) => void show('error', message, ms),
}

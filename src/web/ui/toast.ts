import { limits } from '../../contract/limits.ts'

// what shows them is loaded right after the first page
async function show(tone: string, message: string, autoClose: number): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({
    message,
    autoClose,
    className: `toast toast-${tone}`,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close message' },
  })
}

/** Short messages at the bottom right: 3 s, errors 8 s, or as many milliseconds as they are given. */
export const toast = {
  success: (message: string, ms: number = limits.toast_ms) => void show('success', message, ms),
  warning: (message: string, ms: number = limits.toast_ms) => void show('warning', message, ms),
  error: (message: string, ms: number = limits.error_toast_ms) => void show('error', message, ms),
}

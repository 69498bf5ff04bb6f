import { notifications } from '@mantine/notifications'
import { limits } from '../../contract/limits.ts'

const show = (tone: string, message: string, autoClose: number) => {
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
  success: (message: string, ms: number = limits.toast_ms) => show('success', message, ms),
  warning: (message: string, ms: number = limits.toast_ms) => show('warning', message, ms),
  error: (message: string, ms: number = limits.error_toast_ms) => show('error', message, ms),
}

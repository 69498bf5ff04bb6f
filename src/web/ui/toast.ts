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

/** Short messages at the bottom right: 3 s, errors 8 s. */
export const toast = {
  success: (message: string) => show('success', message, limits.toast_ms),
  warning: (message: string) => show('warning', message, limits.toast_ms),
  error: (message: string) => show('error', message, limits.error_toast_ms),
}

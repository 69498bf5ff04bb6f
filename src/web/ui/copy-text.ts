import { devLogMessages } from '../../contract/dev-logs/client-messages.ts'
import { toast } from './toast.ts'

/** Copies a text to the clipboard and says so in a toast, also if the browser refuses. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(copied)
  } catch (error) {
    console.info('Copying failed', error)
    toast.error(devLogMessages.copy_dev_logs_failed)
  }
}

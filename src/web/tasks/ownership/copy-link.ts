import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import { toast } from '../../ui/toast.ts'

/** Copies the absolute address of a page of this site, and says so; where copying is not allowed, it shows the address. */
export async function copyLink(path: string, name: string): Promise<void> {
  const address = new URL(path, location.origin).href
  try {
    await navigator.clipboard.writeText(address)
    toast.success(messages.link_copied(name))
  } catch (error) {
    // Browsers allow clipboard access only over https or on localhost, and the user can forbid it.
    console.info('The link could not be copied', error)
    toast.info(messages.link_not_copied(address), false)
  }
}

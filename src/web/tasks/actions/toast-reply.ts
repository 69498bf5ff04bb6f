import type { ActionReply } from '../../../contract/tasks/schemas.ts'
import { toast } from '../../ui/toast.ts'

/** Shows the message of an action's reply. */
export const toastReply = ({ status, message }: ActionReply) => toast[status](message)

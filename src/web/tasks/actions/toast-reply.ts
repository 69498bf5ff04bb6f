import type { ActionReply } from '../../../contract/tasks/schemas.ts'
import { toast } from '../../ui/toast.ts'

/** Tells what an action's answer says. */
export const toastReply = ({ status, message }: ActionReply) => toast[status](message)

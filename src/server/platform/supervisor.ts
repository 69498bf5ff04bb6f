import { z } from 'zod'
import { Outage } from '../../contract/system/calls.ts'

/** Messages of the supervisor to the api process: the processes that it cannot keep running. */
export const SupervisorNotice = z.object({ outages: z.array(Outage) })
export type SupervisorNotice = z.infer<typeof SupervisorNotice>

/** Follows the supervisor's messages, and returns the current outages; none without a supervisor. */
export function followSupervisor(): () => Outage[] {
  let outages: Outage[] = []
  process.on('message', (message) => {
    const notice = SupervisorNotice.safeParse(message)
    if (notice.success) outages = notice.data.outages
  })
  return () => outages
}

import { z } from 'zod'
import { Outage } from '../../contract/system.ts'

/** What the process that keeps the others running tells the api process: which of them it cannot keep up. */
export const SupervisorNotice = z.object({ outages: z.array(Outage) })
export type SupervisorNotice = z.infer<typeof SupervisorNotice>

/** Follows what the supervisor says, and returns the outages it knows of now; none where there is no supervisor. */
export function followSupervisor(): () => Outage[] {
  let outages: Outage[] = []
  process.on('message', (message) => {
    const notice = SupervisorNotice.safeParse(message)
    if (notice.success) outages = notice.data.outages
  })
  return () => outages
}

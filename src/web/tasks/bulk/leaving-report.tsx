import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { leavingTasks } from '../../../contract/bulk/leaving.ts'
import { limits } from '../../../contract/limits.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { call } from '../../lib/call.ts'
import { reportLeaving } from './leaving-tasks.ts'

/** Marks tasks that other pages and users have asked to delete; shows nothing. Events of tasks read it again. */
export function LeavingReport() {
  const { data } = useQuery({
    queryKey: [leavingTasks.path] as const,
    queryFn: ({ signal }) => call(leavingTasks, { signal }),
    // An undo changes the tasks alone.
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? limits.leaving_refresh_ms : false),
    meta: { failure: messages.leaving_failed },
  })
  useEffect(() => {
    if (data) reportLeaving(data)
  }, [data])
  return null
}

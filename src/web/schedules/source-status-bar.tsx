import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { scheduleMessages } from '../../contract/schedules/client-messages.ts'

import { reasonOf } from '../lib/query-client.ts'
import { Badge } from '../ui/badge.tsx'
import { LoadError } from '../ui/states.tsx'
import { toast } from '../ui/toast.ts'
import { sourceStatusQuery, switchSource } from './source-schedule-query.ts'
import { heartbeatTone, statusMessage } from './source-state.ts'
import classes from './source-status-bar.module.css'
import { SourceStatusSkeleton } from './source-status-skeleton.tsx'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** State of the source schedule, with its switch; stopping asks for confirmation. */
export function SourceStatusBar() {
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(sourceStatusQuery)
  const [asking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: switchSource,
    onSuccess: ({ status, message }) => {
      toast[status](message)
      return client.invalidateQueries(sourceStatusQuery)
    },
    onError: (error, on) =>
      toast.error(
        reasonOf(error, on ? scheduleMessages.start_schedule_failed : scheduleMessages.stop_schedule_failed),
      ),
    onSettled: () => setAsking(false),
  })
  if (isError)
    return (
      <div className={classes.space}>
        <LoadError message={scheduleMessages.fetch_source_status_failed} onRetry={() => refetch()} />
      </div>
    )
  if (!data) return <SourceStatusSkeleton />
  const running = data.status === 'running'
  return (
    <section className={classes.bar} aria-label="Source schedule">
      <Badge
        tone={running ? heartbeatTone(data.heartbeat_age_seconds) : 'warning'}
        label={running ? 'Running' : 'Stopped'}
      />
      <span className={classes.text}>
        {running ? statusMessage(data) : scheduleMessages.source_schedule_off}
      </span>
      <Button
        variant="default"
        size="xs"
        loading={change.isPending}
        onClick={() => (running ? setAsking(true) : change.mutate(true))}
      >
        {running ? 'Stop' : 'Start'}
      </Button>
      <Suspense>
        {asking && (
          <ConfirmDialog
            title={scheduleMessages.confirm_stop_source_schedule}
            confirm="Stop"
            busy={change.isPending}
            onConfirm={() => change.mutate(false)}
            onClose={() => setAsking(false)}
          >
            {scheduleMessages.confirm_stop_source_schedule_text}
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  )
}

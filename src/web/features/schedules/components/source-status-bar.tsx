import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Badge } from '../../../ui/badge.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { sourceStatusQuery, switchSource } from '../api.ts'
import { heartbeatTone, statusSentence } from './source-state.ts'
import classes from './source-status-bar.module.css'

/** Whether the source schedule is on, with the switch. */
export function SourceStatusBar() {
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(sourceStatusQuery)
  const change = useMutation({
    mutationFn: switchSource,
    onSuccess: ({ status, message }) => {
      toast[status](message)
      return client.invalidateQueries(sourceStatusQuery)
    },
    onError: (error, on) =>
      toast.error(reasonOf(error, on ? messages.start_schedule_failed : messages.stop_schedule_failed)),
  })
  if (isError)
    return (
      <div className={classes.space}>
        <LoadError message={messages.fetch_source_status_failed} onRetry={() => refetch()} />
      </div>
    )
  if (!data)
    return <Skeleton height={52} radius={12} mb={16} role="status" aria-label="Loading the schedule" />
  const running = data.status === 'running'
  return (
    <section className={classes.bar} aria-label="Source schedule">
      <Badge
        tone={running ? heartbeatTone(data.heartbeat_age_seconds) : 'warning'}
        label={running ? 'Running' : 'Stopped'}
      />
      <span className={classes.text}>{running ? statusSentence(data) : messages.source_schedule_off}</span>
      <Button variant="default" size="xs" loading={change.isPending} onClick={() => change.mutate(!running)}>
        {running ? 'Stop' : 'Start'}
      </Button>
    </section>
  )
}

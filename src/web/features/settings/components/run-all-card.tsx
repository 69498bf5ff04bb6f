import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RunAllSchedule } from '../../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'
import { frameMessages } from '../../../../contract/system/client-messages.ts'

import { CallError } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useUnsavedInput } from '../../../lib/unsaved-input.ts'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { TimesField } from '../../../ui/times-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { RunAll } from '../api.ts'
import classes from './run-all-card.module.css'
import { differ, joinTimes } from './run-all-times.ts'

type Props = {
  title: string
  hint: string
  schedule: RunAll
  /** Additional actions on the saved times. */
  actions?: (saved: readonly string[]) => ReactNode
}

/** The edited times and the version they are based on. */
type Draft = { times: string[]; from: RunAllSchedule }

/** Editor of one run-all schedule. Input is kept if the save is rejected and while the times are refetched. */
export function RunAllCard({ title, hint, schedule, actions }: Props) {
  const query = useQuery(schedule.query)
  return (
    <section className={classes.card} aria-label={title}>
      <h3 className="heading">{title}</h3>
      <p className={classes.hint}>{hint}</p>
      {query.isError && <LoadError message={schedule.load_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton height={64} radius={6} role="status" aria-label="Loading the schedule" />}
      {query.data && <TimesForm schedule={schedule} saved={query.data} actions={actions} />}
    </section>
  )
}

type FormProps = Pick<Props, 'schedule' | 'actions'> & { saved: RunAllSchedule }

function TimesForm({ schedule, saved, actions }: FormProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [pending, setPending] = useState<'typed' | 'invalid' | null>(null)
  const [joined, setJoined] = useState(false)
  const { times, from } = draft ?? { times: saved.scheduled_times, from: saved }
  const changed = differ(times, saved.scheduled_times)
  useUnsavedInput(changed || pending !== null)
  const show = (next: Draft | null) => {
    setDraft(next)
    setJoined(false)
  }
  const save = useMutation({
    mutationFn: () => schedule.save({ scheduled_times: times, updated_at: from.updated_at }),
    onSuccess: (reply) => {
      client.setQueryData(schedule.query.queryKey, reply)
      show(null)
      toast.success(schedule.saved)
    },
    onError: (error) => {
      if (!isConflict(error)) return void toast.error(reasonOf(error, schedule.save_failed))
      // Discard restores the refetched times.
      return client.invalidateQueries(schedule.query)
    },
  })
  const pause = useMutation({
    mutationFn: () => schedule.pause(!saved.is_paused),
    onSuccess: (reply) => client.setQueryData(schedule.query.queryKey, reply),
    onError: (error) => toast.error(reasonOf(error, schedule.save_failed)),
  })
  const join = useMutation({
    mutationFn: () => client.fetchQuery({ ...schedule.query, staleTime: 0 }),
    onSuccess: (fresh) => {
      setDraft({ times: joinTimes(from.scheduled_times, times, fresh.scheduled_times), from: fresh })
      setJoined(true)
      save.reset()
    },
    onError: (error) => toast.error(reasonOf(error, schedule.load_failed)),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && pending === null) save.mutate()
      }}
    >
      <FormNotice
        problem={isConflict(save.error) ? frameMessages.stale_update : null}
        notice={joined ? frameMessages.loaded_again : null}
        onLoadAgain={() => join.mutate()}
      />
      <TimesField
        label="Times"
        description={times.length === 0 && scheduleMessages.no_run_all_times}
        value={times}
        onChange={(next) => show({ times: next, from })}
        onPending={setPending}
      />
      <div className={classes.footer}>
        <span className={classes.note}>
          {changed ? scheduleMessages.unsaved_changes : saved.is_paused && scheduleMessages.run_all_paused}
        </span>
        {(saved.is_paused || saved.scheduled_times.length > 0) && (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
            {saved.is_paused ? 'Resume' : 'Pause'}
          </Button>
        )}
        {changed ? (
          <Button
            variant="default"
            onClick={() => {
              show(null)
              save.reset()
            }}
          >
            Discard
          </Button>
        ) : (
          actions?.(saved.scheduled_times)
        )}
        <Button
          type="submit"
          disabled={pending === 'invalid' || (!changed && pending === null)}
          loading={save.isPending}
        >
          Save
        </Button>
      </div>
    </form>
  )
}

const isConflict = (error: unknown) => error instanceof CallError && error.code === 'stale_update'

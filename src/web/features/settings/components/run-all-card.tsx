import { Button, Skeleton, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messages } from '../../../../contract/messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { LoadError } from '../../../ui/states.tsx'
import { TimesField } from '../../../ui/times-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { RunAll } from '../api.ts'
import classes from './run-all-card.module.css'
import { differ } from './run-all-times.ts'

type Props = {
  title: string
  hint: string
  schedule: RunAll
  /** More that can be done with the times that are saved. */
  actions?: (saved: readonly string[]) => ReactNode
}

/** Editor of one run-all schedule. What was typed stays through a refused save, and while the times are read again. */
export function RunAllCard({ title, hint, schedule, actions }: Props) {
  const client = useQueryClient()
  const query = useQuery(schedule.query)
  const [draft, setDraft] = useState<string[] | null>(null)
  const [pending, setPending] = useState<'typed' | 'invalid' | null>(null)
  const saved = query.data?.scheduled_times ?? []
  const times = draft ?? saved
  const changed = differ(times, saved)
  const save = useMutation({
    mutationFn: schedule.save,
    onSuccess: (reply) => {
      client.setQueryData(schedule.query.queryKey, reply)
      setDraft(null)
      toast.success(schedule.saved)
    },
    onError: (error) => toast.error(reasonOf(error, schedule.save_failed)),
  })
  return (
    <section className={classes.card} aria-label={title}>
      <Title order={2}>{title}</Title>
      <p className={classes.hint}>{hint}</p>
      {query.isError && <LoadError message={schedule.load_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton height={64} radius={6} role="status" aria-label="Loading the schedule" />}
      {query.data && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (changed && pending === null) save.mutate(times)
          }}
        >
          <TimesField
            label="Times"
            description={times.length === 0 && messages.no_run_all_times}
            value={times}
            onChange={setDraft}
            onPending={setPending}
          />
          <div className={classes.footer}>
            <span className={classes.note}>{changed && messages.unsaved_changes}</span>
            {actions?.(saved)}
            {changed && (
              <Button variant="default" onClick={() => setDraft(null)}>
                Discard
              </Button>
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
      )}
    </section>
  )
}

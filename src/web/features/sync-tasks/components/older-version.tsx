import { IconHistory } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { versionMessages as messages } from '../../../../contract/versions/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { pauseSchedule } from '../api.ts'
import { syncTaskModel } from './model.ts'
import classes from './older-version.module.css'

/** Says that the target holds an older version, which the next run replaces, or that the schedule is paused, with the switch for it. */
export function OlderVersionNotice({ task }: { task: SyncTask }) {
  const { older_version, is_schedule_paused, is_active } = task
  if (older_version === null && !is_schedule_paused) return null
  return (
    <WarningNotice title={older_version ? messages.older : messages.paused_title}>
      {older_version && <p>{messages.holds(older_version)}</p>}
      {is_active ? (
        <>
          <PauseSwitch task={task} />
          <p>{is_schedule_paused ? messages.paused : messages.pause_hint}</p>
        </>
      ) : (
        <p>{messages.inactive}</p>
      )}
    </WarningNotice>
  )
}

/** The same in the task's row. */
export function OlderVersionMark({ task }: { task: SyncTask }) {
  const { older_version, is_active } = task
  return (
    <div className={classes.mark}>
      {older_version && (
        <span className={classes.older} title={messages.holds(older_version)}>
          <IconHistory size={14} aria-hidden />
          {messages.older_of(older_version)}
        </span>
      )}
      {is_active && <PauseSwitch task={task} />}
    </div>
  )
}

function PauseSwitch({ task: { id, is_schedule_paused } }: { task: SyncTask }) {
  const client = useQueryClient()
  const pausing = useMutation({
    mutationFn: (is_paused: boolean) => pauseSchedule(id, is_paused),
    onSuccess: ({ message }) => {
      toast.success(message)
      return refetchTask(client, syncTaskModel, id)
    },
    onError: (error) => toast.error(reasonOf(error, messages.pause_failed)),
  })
  return (
    <Switch
      label={messages.pause}
      checked={pausing.isPending ? pausing.variables : is_schedule_paused}
      locked={pausing.isPending}
      onChange={pausing.mutate}
      showLabel
    />
  )
}

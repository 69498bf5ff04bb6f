import {
  IconChecks,
  IconClock,
  IconDownload,
  IconEye,
  IconFolder,
  IconPlayerPlay,
  IconPlayerStop,
  IconTag,
  IconTagOff,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
  IconUser,
  IconUserStar,
} from '@tabler/icons-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { BulkReply } from '../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { planMessages } from '../../../contract/plans/client-messages.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { usePreviewMany } from '../actions/preview-many.ts'
import type { Change } from '../bulk/bulk-calls.ts'
import { isStartable } from '../bulk/bulk-rules.ts'
import { useActOnTasks } from '../bulk/use-act-on-tasks.ts'
import { isStoppable } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import type { Asked } from './selection-dialogs.tsx'
import { useExportSome } from './use-export-some.ts'

const SelectionDialog = lazy(() =>
  import('./selection-dialogs.tsx').then((module) => ({ default: module.SelectionDialog })),
)

/** An action of the bar; `reason`: why it is unavailable. */
export type SelectionAction = {
  label: string
  icon: ComponentType<{ size: number }>
  reason: string | null
  is_pending: boolean
  is_destructive?: true
  onClick: () => void
}

/** The actions on the selected tasks, and the dialog of the one that asks something. */
export function useSelectionActions(
  tasks: readonly Task[],
  onReply: (reply: BulkReply) => void,
): { actions: SelectionAction[]; dialog: ReactNode } {
  const descriptor = useDescriptor()
  const act = useActOnTasks()
  const save = useExportSome()
  const preview = usePreviewMany()
  // The tasks as they were when the dialog was opened.
  const [asked, setAsked] = useState<{ what: Asked; tasks: readonly Task[] } | null>(null)
  const change = (wanted: Change, of = tasks) =>
    act.mutate({ change: wanted, tasks: of }, { onSuccess: onReply })
  const ask = (what: Asked) => () => setAsked({ what, tasks })

  const startable = tasks.filter((task) => isStartable(descriptor, task)).length
  const tooMany = tasks.length > limits.bulk_tasks_max ? bulkMessages.too_many(limits.bulk_tasks_max) : null
  const unless = (is_possible: boolean, why: string) => tooMany ?? (is_possible ? null : why)
  const isPending = (action: Change['action']) => act.isPending && act.variables.change.action === action
  const action = (
    label: string,
    icon: SelectionAction['icon'],
    of: Change['action'],
    more: Pick<SelectionAction, 'reason' | 'onClick'>,
  ): SelectionAction => ({ label, icon, is_pending: isPending(of), ...more })

  const actions: SelectionAction[] = [
    action('Run', IconPlayerPlay, 'run', {
      reason: unless(startable > 0, messages.none_startable),
      onClick: startable > limits.run_without_confirmation_max ? ask('run') : () => change({ action: 'run' }),
    }),
    action('Stop', IconPlayerStop, 'stop', {
      reason: unless(
        tasks.some((task) => isStoppable(descriptor, task)),
        messages.none_stoppable,
      ),
      onClick: ask('stop'),
    }),
    ...(descriptor.has_previews
      ? [
          {
            label: planMessages.preview,
            icon: IconEye,
            reason: tasks.length > limits.previews_max ? planMessages.too_many(limits.previews_max) : null,
            is_pending: preview.isPending,
            onClick: () => preview.mutate({ ids: tasks.map(({ id }) => id) }),
          },
        ]
      : []),
    action('Activate', IconToggleRight, 'activate', {
      reason: unless(
        tasks.some(({ is_active }) => !is_active),
        messages.all_active,
      ),
      onClick: () => change({ action: 'activate' }),
    }),
    action('Deactivate', IconToggleLeft, 'deactivate', {
      reason: unless(
        tasks.some(({ is_active }) => is_active),
        messages.all_inactive,
      ),
      onClick: () => change({ action: 'deactivate' }),
    }),
    action('Acknowledge', IconChecks, 'acknowledge', {
      reason: unless(tasks.some(isWarned), messages.none_to_acknowledge),
      onClick: () => change({ action: 'acknowledge' }),
    }),
    action('Change type', IconFolder, 'change_type', { reason: tooMany, onClick: ask('change_type') }),
    action('Change schedule', IconClock, 'change_schedule', {
      reason: unless(descriptor.has_schedule, messages.schedule_of_type),
      onClick: ask('change_schedule'),
    }),
    action('Change account', IconUser, 'change_account', {
      reason: unless(tasks.some(descriptor.usesAccount), messages.no_account),
      onClick: ask('change_account'),
    }),
    action('Set owner', IconUserStar, 'change_owner', { reason: tooMany, onClick: ask('change_owner') }),
    action('Add tag', IconTag, 'add_tag', { reason: tooMany, onClick: ask('add_tag') }),
    action('Remove tag', IconTagOff, 'remove_tag', {
      reason: unless(
        tasks.some(({ tags }) => tags.length > 0),
        messages.no_tags,
      ),
      onClick: ask('remove_tag'),
    }),
    {
      label: 'Export',
      icon: IconDownload,
      reason: tooMany,
      is_pending: save.isPending,
      onClick: () => save.mutate(tasks.map(({ id }) => id)),
    },
    {
      ...action('Delete', IconTrash, 'delete', { reason: tooMany, onClick: ask('delete') }),
      is_destructive: true,
    },
  ]
  const dialog = asked && (
    <Suspense>
      <SelectionDialog
        what={asked.what}
        tasks={asked.tasks}
        onChange={(wanted) => {
          change(wanted, asked.tasks)
          setAsked(null)
        }}
        onClose={() => setAsked(null)}
      />
    </Suspense>
  )
  return { actions, dialog }
}

const isWarned = ({ run_warnings }: Task) => run_warnings.some(({ acknowledged }) => acknowledged === null)

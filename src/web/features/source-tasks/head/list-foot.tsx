import { Button } from '@mantine/core'
import {
  IconDots,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefreshAlert,
  IconToggleLeft,
  IconToggleRight,
} from '@tabler/icons-react'
import { lazy } from 'react'
import { bulkMessages } from '../../../../contract/bulk/client-messages.ts'

import { useResetStatuses } from '../../../tasks/bulk/bulk-actions.ts'
import { useBulkConfirmations } from '../../../tasks/bulk/bulk-confirmations.tsx'
import { type Selection, selectionRefusal } from '../../../tasks/bulk/bulk-rules.ts'
import { disabledWithReason } from '../../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import classes from './head.module.css'

const FootMenuItems = lazy(async () => ({ default: (await import('./foot-menu-items.tsx')).FootMenuItems }))

/** Actions on all tasks, or on the filtered tasks. */
export function ListFoot({ selection }: { selection: Selection }) {
  const reset = useResetStatuses()
  const confirmations = useBulkConfirmations(selection)
  const { tasks, filtered } = selection
  const why = selectionRefusal(selection)
  const these = (action: 'run' | 'stop' | 'activate' | 'deactivate' | 'delete') =>
    bulkMessages.button(action, tasks.length)
  return (
    <section className={classes.foot} aria-label={filtered ? 'Tasks shown' : 'All tasks'}>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={confirmations.isRunPending}
        {...disabledWithReason(why, confirmations.run)}
      >
        {filtered ? these('run') : 'Run All Tasks'}
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        {...disabledWithReason(why, confirmations.stop)}
      >
        {filtered ? these('stop') : 'Stop All'}
      </Button>
      {filtered ? (
        <>
          <Button
            variant="default"
            leftSection={<IconToggleRight size={17} aria-hidden />}
            {...disabledWithReason(why, confirmations.activate)}
          >
            {these('activate')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconToggleLeft size={17} aria-hidden />}
            {...disabledWithReason(why, confirmations.deactivate)}
          >
            {these('deactivate')}
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconToggleLeft size={17} aria-hidden />}
          onClick={confirmations.toggle}
        >
          Toggle All Active/Inactive
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconRefreshAlert size={17} aria-hidden />}
        loading={reset.isPending}
        onClick={() => reset.mutate()}
      >
        Reset All Running Status
      </Button>
      <MenuButton
        label={filtered ? 'More actions for the tasks shown' : 'More actions for all tasks'}
        variant="default"
        size={36}
        items={
          <FootMenuItems
            label={filtered ? these('delete') : 'Delete All'}
            disabled={why !== null}
            onDelete={confirmations.remove}
          />
        }
      >
        <IconDots size={18} />
      </MenuButton>
      {confirmations.dialogs}
    </section>
  )
}

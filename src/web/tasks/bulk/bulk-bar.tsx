import { Button } from '@mantine/core'
import { IconDots, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { CsvButtons } from '../../ui/csv-buttons.tsx'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { useExport } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'
import { useBulkConfirmations } from './bulk-confirmations.tsx'
import { type Selection, selectionRefusal } from './bulk-rules.ts'

const BulkMenuItems = lazy(async () => ({ default: (await import('./bulk-menu-items.tsx')).BulkMenuItems }))

const LOADING: Selection = { tasks: [], filtered: false }

/** Actions on all tasks, or on the filtered tasks. Disabled until the tasks are loaded: the confirmations depend on them. */
export function BulkBar({ selection = LOADING }: { selection: Selection | undefined }) {
  const confirmations = useBulkConfirmations(selection)
  const { tasks, filtered } = selection
  const why = selectionRefusal(selection)
  const loading = selection === LOADING
  const save = useExport()
  const { import_path } = useDescriptor()
  const title = filtered && why === null ? bulkMessages.of_filter(tasks.length) : undefined
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        title={title}
        disabled={loading}
        loading={confirmations.isRunPending}
        {...disabledWithReason(why, confirmations.run)}
      >
        {filtered ? bulkMessages.button('run', tasks.length) : 'Run All'}
      </Button>
      <Button
        variant="default"
        className={classes.wide}
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        title={title}
        disabled={loading}
        {...disabledWithReason(why, confirmations.stop)}
      >
        {filtered ? bulkMessages.button('stop', tasks.length) : 'Stop All'}
      </Button>
      <MenuButton
        label={filtered ? 'Actions for the tasks shown' : 'Actions for all tasks'}
        variant="default"
        size={36}
        disabled={loading}
        items={<BulkMenuItems selection={selection} confirmations={confirmations} />}
      >
        <IconDots size={18} />
      </MenuButton>
      <CsvButtons
        named_csv
        onImport={import_path}
        onExport={() => save.mutate()}
        isExporting={save.isPending}
      />
      {confirmations.dialogs}
    </>
  )
}

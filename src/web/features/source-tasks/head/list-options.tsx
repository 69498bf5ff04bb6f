import { Button } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useExport } from '../../../tasks/bulk/bulk-actions.ts'
import { Switch } from '../../../ui/switch.tsx'
import { AutoRefresh } from './auto-refresh.tsx'
import classes from './head.module.css'

const ImportDialog = lazy(async () => ({
  default: (await import('../files/import-dialog.tsx')).ImportDialog,
}))

type Props = { reordering: boolean; onReordering: (on: boolean) => void }

/** What the head of the list offers beside adding a task. */
export function ListOptions({ reordering, onReordering }: Props) {
  const save = useExport()
  const [importing, setImporting] = useState(false)
  return (
    <>
      <div className={classes.options}>
        <AutoRefresh />
        <Switch label="Reorder mode" showLabel checked={reordering} onChange={onReordering} />
      </div>
      <Button
        variant="default"
        leftSection={<IconUpload size={17} aria-hidden />}
        onClick={() => setImporting(true)}
      >
        Import CSV
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={17} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Export CSV
      </Button>
      <Suspense>{importing && <ImportDialog onClose={() => setImporting(false)} />}</Suspense>
    </>
  )
}

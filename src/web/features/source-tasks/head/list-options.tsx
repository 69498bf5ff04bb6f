import { lazy, Suspense, useState } from 'react'
import { useExport } from '../../../tasks/bulk/bulk-actions.ts'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { AutoRefresh } from './auto-refresh.tsx'
import classes from './head.module.css'

const ImportDialog = lazy(async () => ({
  default: (await import('../files/import-dialog.tsx')).ImportDialog,
}))

type Props = { reordering: boolean; onReordering: (on: boolean) => void }

/** Options of the list beside Add. */
export function ListOptions({ reordering, onReordering }: Props) {
  const save = useExport()
  const [importing, setImporting] = useState(false)
  return (
    <>
      <div className={classes.options}>
        <AutoRefresh />
        <Switch label="Reorder mode" showLabel checked={reordering} onChange={onReordering} />
      </div>
      <CsvButtons
        named_csv
        onImport={() => setImporting(true)}
        onExport={() => save.mutate()}
        isExporting={save.isPending}
      />
      <Suspense>{importing && <ImportDialog onClose={() => setImporting(false)} />}</Suspense>
    </>
  )
}

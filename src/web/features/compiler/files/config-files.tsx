import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { compilerFiles } from '../../../../contract/config-files/calls.ts'
import { compilerFileMessages as messages } from '../../../../contract/config-files/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { toast } from '../../../ui/toast.ts'

const ImportConfigsDialog = lazy(async () => ({
  default: (await import('./import-configs-dialog.tsx')).ImportConfigsDialog,
}))

/** Export and import of all compiler configurations as CSV. */
export function ConfigFiles() {
  const [importing, setImporting] = useState(false)
  const exporting = useMutation({
    mutationFn: () => saveFile(compilerFiles.exportConfigs, {}),
    onSuccess: () => toast.success(messages.exported),
    onError: (error) => toast.error(reasonOf(error, messages.export_failed)),
  })
  return (
    <>
      <CsvButtons
        onExport={() => exporting.mutate()}
        isExporting={exporting.isPending}
        onImport={() => setImporting(true)}
      />
      <Suspense>{importing && <ImportConfigsDialog onClose={() => setImporting(false)} />}</Suspense>
    </>
  )
}

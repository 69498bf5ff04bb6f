import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'

import { sourceTaskTypeFiles } from '../../../../contract/task-types/files.ts'
import { errorFieldOf } from '../../../lib/query-client.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { isLate, withTimeLimit } from '../../../lib/time-limit.ts'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { toast } from '../../../ui/toast.ts'
import { typesChanged } from '../api.ts'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

const JobBanner = lazy(async () => ({
  default: (await import('../../../csv-jobs/job-banner.tsx')).JobBanner,
}))

/** Downloads all source task types as CSV; times out after 45 s. */
export const exportTypes = () =>
  saveFile(sourceTaskTypeFiles.exportCsv, { signal: withTimeLimit(limits.types_timeout_ms) })

/** Error message of a failed export. */
export const exportFailure = (error: unknown) =>
  isLate(error) ? csvJobMessages.type_export_timed_out : errorFieldOf(error, csvJobMessages.export_csv_failed)

/** Export and import buttons, and a banner for an import that continues in the background. */
export function useSourceTypeFiles(): { buttons: ReactNode; banner: ReactNode } {
  const client = useQueryClient()
  const [choosing, setChoosing] = useState(false)
  const [job_id, setJobId] = useState<number | null>(null)
  const reload = () => void typesChanged(client)
  const exporting = useMutation({
    mutationFn: exportTypes,
    onError: (error) => toast.error(exportFailure(error), limits.csv_toast_ms),
  })
  const left = (id: number) => {
    setChoosing(false)
    setJobId(id)
  }
  return {
    buttons: (
      <>
        <CsvButtons
          onImport={() => setChoosing(true)}
          onExport={() => exporting.mutate()}
          isExporting={exporting.isPending}
        />
        <Suspense>
          {choosing && <ImportDialog onClose={() => setChoosing(false)} onImported={reload} onLeft={left} />}
        </Suspense>
      </>
    ),
    banner: job_id !== null && (
      <Suspense>
        <JobBanner key={job_id} job_id={job_id} onEnded={reload} onDismiss={() => setJobId(null)} />
      </Suspense>
    ),
  }
}

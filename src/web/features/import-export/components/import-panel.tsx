import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnyImportReply, CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'

import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { isUnfinished, watchJobs } from '../../../csv-jobs/jobs.ts'
import { formatCount } from '../../../lib/format.ts'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { toast } from '../../../ui/toast.ts'
import { importFailure, importSyncTasks } from '../api.ts'
import classes from './import-panel.module.css'
import { ImportResult } from './import-result.tsx'

/** Uploads one CSV file, dropped or chosen, and shows the result of its rows. */
export function ImportPanel({ jobs }: { jobs: CsvJob[] }) {
  const client = useQueryClient()
  const importing = useMutation({
    ...importSyncTasks,
    onMutate: () => setTimeout(() => watchJobs(client, 'sync_task'), limits.refresh_after_stop_ms),
    onSuccess: toastImportReply,
    onError: (error) => toast.error(importFailure(error), limits.csv_toast_ms),
  })
  const take = (files: File[]) => {
    const problem = problemOf(files)
    if (problem !== null) return toast.error(problem, limits.csv_toast_ms)
    const [file] = files
    if (file) importing.mutate(file)
  }
  const file = importing.variables
  const job = jobs.find((one) => isUnfinished(one) && one.filename === file?.name)
  return (
    <section className={classes.panel} aria-labelledby="import">
      <h2 id="import">Import</h2>
      <p>{csvJobMessages.import_explained}</p>
      <FileDrop
        what="a CSV file"
        accept=".csv,text/csv"
        hint={csvJobMessages.import_hint}
        busy={importing.isPending}
        onFiles={take}
      />
      {importing.isPending && (
        <div className={classes.progress} role="status">
          <span>
            {csvJobMessages.importing(file?.name ?? '')}
            {job && job.processed_count > 0 && `: ${formatCount(job.processed_count, 'row')}`}
          </span>
          <ProgressBar percent={job?.progress ?? null} label="Import progress" />
        </div>
      )}
      {importing.isError && (
        <p className={classes.failure} role="alert">
          {importFailure(importing.error)}
        </p>
      )}
      {importing.data && 'errors' in importing.data && file && (
        <ImportResult filename={file.name} result={importing.data} />
      )}
    </section>
  )
}

function toastImportReply({ status, message }: AnyImportReply): void {
  if (status === 'success') toast.success(message, limits.csv_toast_ms)
  else if (status === 'partial_success') toast.warning(message, limits.csv_toast_ms)
  else if (status === 'failed') toast.error(csvJobMessages.import_failed(message), limits.csv_toast_ms)
  else if (status === 'running') toast.warning(message, limits.csv_toast_ms)
  else toast.warning(csvJobMessages.import_status_unknown, limits.csv_toast_ms)
}

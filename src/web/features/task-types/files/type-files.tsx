import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { syncTaskTypeFiles } from '../../../../contract/task-types/files.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { JobTable } from '../../../csv-jobs/job-table.tsx'
import { isUnfinished, jobsQuery, watchJobs } from '../../../csv-jobs/jobs.ts'
import { CallError, call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { isLate, withTimeLimit } from '../../../lib/time-limit.ts'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import classes from './type-files.module.css'

const TYPE = 'sync_task_type'

/** Import and export buttons for sync task types. Results are shown by toasts and in the list of jobs. */
export function TypeFileButtons() {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const importing = useMutation({
    mutationFn: (file: File) =>
      call(syncTaskTypeFiles.importCsv, { file, signal: withTimeLimit(limits.types_timeout_ms) }),
    onSuccess: ({ message }) => toast.success(message, limits.csv_toast_ms),
    onError: (error) => toast.error(importFailure(error), false),
    onSettled: () => watchJobs(client, TYPE),
  })
  const exporting = useMutation({
    mutationFn: () =>
      saveFile(syncTaskTypeFiles.exportCsv, { signal: withTimeLimit(limits.types_export_timeout_ms) }),
    onSuccess: ({ job_id }) =>
      toast.success(csvJobMessages.type_export_completed(job_id), limits.csv_toast_ms),
    onError: (error) => toast.error(exportFailure(error), limits.csv_toast_ms),
    onSettled: () => watchJobs(client, TYPE),
  })
  const take = (files: File[]) => {
    const problem = problemOf(files)
    if (problem !== null) return toast.error(problem, false)
    const [file] = files
    if (file) importing.mutate(file)
  }
  return (
    <>
      <CsvButtons
        onImport={() => input.current?.click()}
        isImporting={importing.isPending}
        onExport={() => exporting.mutate()}
        isExporting={exporting.isPending}
      />
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])])
          // allows selecting the same file again
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Last five imports and exports of sync task types. Refetches the types when an import ends. */
export function RecentTypeJobs() {
  const client = useQueryClient()
  const jobs = useQuery(jobsQuery(TYPE))
  const lastImport = jobs.data?.find((job) => job.kind === 'import' && !isUnfinished(job))?.id ?? 0
  const known = useRef<number | null>(null)
  const loaded = jobs.data !== undefined
  useEffect(() => {
    if (!loaded) return
    if (known.current !== null && known.current !== lastImport)
      void client.invalidateQueries({ queryKey: [syncTaskTypes.list.path] })
    known.current = lastImport
  }, [loaded, lastImport, client])
  return (
    <section className={classes.jobs} aria-labelledby="type-jobs">
      <h2 id="type-jobs">Last imports and exports</h2>
      {jobs.isPending && <LoadingRows rows={2} label="Loading the last imports and exports" />}
      {jobs.isError && (
        <LoadError
          message={reasonOf(jobs.error, csvJobMessages.fetch_jobs_failed)}
          onRetry={() => jobs.refetch()}
        />
      )}
      {jobs.data?.length === 0 && (
        <EmptyState title={csvJobMessages.no_type_jobs} hint={csvJobMessages.no_type_jobs_hint} level={3} />
      )}
      {jobs.data && jobs.data.length > 0 && <JobTable jobs={jobs.data} />}
    </section>
  )
}

/** Error message of a failed upload. */
function importFailure(error: unknown): string {
  const status = error instanceof CallError ? error.status : 0
  if (status === 413) return csvJobMessages.file_too_large_smaller
  return reasonOf(
    error,
    status === 400 ? csvJobMessages.invalid_file_format : csvJobMessages.type_import_failed,
  )
}

/** Error message of a failed export. */
const exportFailure = (error: unknown) =>
  isLate(error) ? csvJobMessages.type_export_timed_out : reasonOf(error, csvJobMessages.type_export_failed)

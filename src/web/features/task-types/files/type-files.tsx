import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { syncTaskTypeFiles } from '../../../../contract/task-types/files.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { watchJobs } from '../../../csv-jobs/jobs.ts'
import { CallError, call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { isLate, withTimeLimit } from '../../../lib/time-limit.ts'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { toast } from '../../../ui/toast.ts'

/** Import and export buttons for sync task types. Results are shown by toasts and in the list of jobs. */
export function TypeFileButtons() {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const importing = useMutation({
    mutationFn: (file: File) =>
      call(syncTaskTypeFiles.importCsv, { file, signal: withTimeLimit(limits.types_timeout_ms) }),
    onSuccess: ({ message }) => toast.success(message, limits.csv_toast_ms),
    onError: (error) => toast.error(importFailure(error), false),
    onSettled: () => watchJobs(client, 'sync_task_type'),
  })
  const exporting = useMutation({
    mutationFn: () =>
      saveFile(syncTaskTypeFiles.exportCsv, { signal: withTimeLimit(limits.types_export_timeout_ms) }),
    onSuccess: ({ job_id }) =>
      toast.success(csvJobMessages.type_export_completed(job_id), limits.csv_toast_ms),
    onError: (error) => toast.error(exportFailure(error), limits.csv_toast_ms),
    onSettled: () => watchJobs(client, 'sync_task_type'),
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

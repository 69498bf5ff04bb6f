import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'

import { sourceTaskTypeFiles } from '../../../../contract/task-types/files.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { ImportFrame } from '../../../csv-jobs/import-frame.tsx'
import { isUnfinished, jobQuery } from '../../../csv-jobs/jobs.ts'
import { CallError, call } from '../../../lib/call.ts'
import { errorFieldOf } from '../../../lib/query-client.ts'
import { withTimeLimit } from '../../../lib/time-limit.ts'
import { toast } from '../../../ui/toast.ts'
import { ImportFailure, ImportOutcome } from './import-outcome.tsx'

type Props = {
  onClose: () => void
  /** Called after a successful import. The dialog stays open with the result. */
  onImported: () => void
  /** Called if the dialog is closed during an import; the parent shows its progress. */
  onLeft: (job_id: number) => void
}

const DEFAULTS = { overwrite_existing: false, validate_cron: true, activate_imported: false }
const labels: Record<keyof typeof DEFAULTS, string> = {
  overwrite_existing: csvJobMessages.import_option_overwrite,
  validate_cron: csvJobMessages.import_option_cron,
  activate_imported: csvJobMessages.import_option_activate,
}
const names = ['overwrite_existing', 'validate_cron', 'activate_imported'] as const

/** Imports source task types from a CSV file. */
export function ImportDialog({ onClose, onImported, onLeft }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [options, setOptions] = useState(DEFAULTS)
  const isOpen = useIsMounted()
  const sending = useMutation({
    mutationFn: (chosen: File) =>
      call(sourceTaskTypeFiles.importCsv, {
        file: chosen,
        options,
        signal: withTimeLimit(limits.types_timeout_ms),
      }),
    // The upload continues after the dialog is closed; onLeft is still called.
    onSuccess: (job) => {
      if (!isOpen.current) onLeft(job.job_id)
    },
    onError: (error) =>
      isOpen.current
        ? setProblem(failureOf(error))
        : toast.error(errorFieldOf(error, csvJobMessages.import_csv_failed), limits.csv_toast_ms),
  })
  const job_id = sending.data?.job_id
  const { data: job } = useQuery({ ...jobQuery(job_id ?? 0), enabled: job_id !== undefined })
  const busy = sending.isPending || (job_id !== undefined && (job === undefined || isUnfinished(job)))
  const imported = job?.status === 'completed'
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once per import, not when the callback changes
  useEffect(() => {
    if (imported) onImported()
  }, [imported])

  const take = (files: File[]) => {
    const refused = problemOf(files, { not_csv: csvJobMessages.select_valid_csv })
    setProblem(refused)
    setFile(refused === null ? (files[0] ?? null) : null)
    sending.reset()
  }
  const send = () => {
    if (file === null) return setProblem(csvJobMessages.select_import_file)
    setProblem(null)
    sending.mutate(file)
  }
  const close = () => (job_id !== undefined && busy ? onLeft(job_id) : onClose())
  return (
    <ImportFrame
      title="Import Source Task Types"
      hint={csvJobMessages.import_size_hint}
      file={file}
      busy={busy}
      reading={
        job_id === undefined
          ? csvJobMessages.importing(file?.name ?? '')
          : `${csvJobMessages.importing(file?.name ?? '')}. ${csvJobMessages.import_waits}`
      }
      percent={job?.progress || null}
      imported={imported}
      onFiles={take}
      onSend={send}
      onClose={close}
      options={names.map((name) => (
        <Checkbox
          key={name}
          label={labels[name]}
          checked={options[name]}
          onChange={({ currentTarget: { checked } }) => setOptions({ ...options, [name]: checked })}
        />
      ))}
      help={
        <>
          <p>{csvJobMessages.import_columns}</p>
          <p>{csvJobMessages.import_columns_more}</p>
        </>
      }
    >
      {problem !== null && <ImportFailure message={problem} />}
      {job && !busy && <ImportOutcome job={job} />}
    </ImportFrame>
  )
}

function useIsMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

/** Error message of a failed upload. */
export function failureOf(error: unknown): string {
  const fields = error instanceof CallError ? error.errors?.map(({ message }) => message) : undefined
  return errorFieldOf(
    error,
    fields?.length ? csvJobMessages.import_validation_errors(fields) : csvJobMessages.import_file_failed,
  )
}

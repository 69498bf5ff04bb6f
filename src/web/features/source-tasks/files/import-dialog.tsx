import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'

import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { ImportFrame } from '../../../csv-jobs/import-frame.tsx'
import { watchJobs } from '../../../csv-jobs/jobs.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { toast } from '../../../ui/toast.ts'
import { sourceTaskModel } from '../components/model.ts'
import { ImportResultView } from './import-result.tsx'
import { importTasks } from './import-tasks.ts'

/** Rules for the chosen file. */
export const importRules = {
  max_bytes: limits.source_csv_bytes,
  not_csv: sourceMessages.csv_extension,
  too_large: sourceMessages.csv_too_large,
}

/** Imports source tasks from a CSV file. The import continues after the dialog is closed, and its result is still shown. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<CsvJob | null>(null)
  const sending = useMutation({
    mutationFn: (chosen: File) => importTasks(chosen, setProgress),
    onSuccess: ({ tone, summary }) => {
      toast[tone](summary, limits.csv_toast_ms)
      return Promise.all([
        client.invalidateQueries({ queryKey: keysOf(sourceTaskModel).list }),
        watchJobs(client, 'source_task'),
      ])
    },
  })
  const { isPending: busy, data: result } = sending
  const take = (files: File[]) => {
    const refused = problemOf(files, importRules)
    setProblem(refused)
    setFile(refused === null ? (files[0] ?? null) : null)
    setProgress(null)
    sending.reset()
  }
  const send = () => {
    if (file === null) return setProblem(sourceMessages.csv_none)
    setProblem(null)
    sending.mutate(file)
  }
  return (
    <ImportFrame
      title={sourceDialogMessages.import_title}
      hint={sourceDialogMessages.import_hint}
      file={file}
      busy={busy}
      reading={`${csvJobMessages.importing(file?.name ?? '')}. ${csvJobMessages.import_waits}`}
      percent={progress?.progress || null}
      imported={result?.summary === sourceMessages.import_completed}
      onFiles={take}
      onSend={send}
      onClose={onClose}
      help={<p>{sourceDialogMessages.import_explained}</p>}
    >
      {problem !== null && (
        <Alert role="alert" color="red" icon={<IconAlertCircle />}>
          {problem}
        </Alert>
      )}
      {result && <ImportResultView result={result} />}
    </ImportFrame>
  )
}

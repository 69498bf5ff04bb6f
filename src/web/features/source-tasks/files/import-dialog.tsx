import { Alert, Button } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CsvJob } from '../../../../contract/csv-jobs.ts'
import { limits } from '../../../../contract/limits.ts'
import { messages } from '../../../../contract/screen-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-dialog-messages.ts'
import { sourceMessages } from '../../../../contract/source-page-messages.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import classes from '../../../csv-jobs/import-dialog.module.css'
import { watchJobs } from '../../../csv-jobs/jobs.ts'
import { formatBytes } from '../../../lib/format.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { toast } from '../../../ui/toast.ts'
import { sourceTaskModel } from '../components/model.ts'
import { ImportEnding } from './import-ending.tsx'
import { importTasks } from './import-tasks.ts'

/** Which files are taken. */
export const importRules = {
  max_bytes: limits.source_csv_bytes,
  not_csv: sourceMessages.csv_extension,
  too_large: sourceMessages.csv_too_large,
}

/** Imports source tasks from a CSV file. An import goes on when the dialog is closed, and its end is told all the same. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<CsvJob | null>(null)
  const sending = useMutation({
    mutationFn: (chosen: File) => importTasks(chosen, setProgress),
    onSuccess: ({ tone, told }) => {
      toast[tone](told, limits.csv_toast_ms)
      return Promise.all([
        client.invalidateQueries({ queryKey: keysOf(sourceTaskModel).list }),
        watchJobs(client, 'source_task'),
      ])
    },
  })
  const { isPending: busy, data: ending } = sending
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
    <FormDialog title={sourceDialogMessages.import_title} size="lg" dirty={false} onClose={onClose}>
      <div className={classes.body}>
        <FileDrop
          what="a CSV file"
          accept=".csv"
          hint={sourceDialogMessages.import_hint}
          busy={busy}
          onFiles={take}
        />
        {file && (
          <p className={classes.file}>
            <IconFileTypeCsv size={20} aria-hidden />
            <b>{file.name}</b> <span>{formatBytes(file.size)}</span>
          </p>
        )}
        {busy && (
          <div className={classes.progress} role="status">
            <span>
              {messages.importing(file?.name ?? '')}. {messages.import_waits}
            </span>
            <ProgressBar percent={progress?.progress || null} label="Part of the file that is read" />
          </div>
        )}
        {problem !== null && (
          <Alert role="alert" color="red" icon={<IconAlertCircle />}>
            {problem}
          </Alert>
        )}
        {ending && <ImportEnding ending={ending} />}
        <p className={classes.help}>{sourceDialogMessages.import_explained}</p>
      </div>
      <DialogFooter>
        <CancelButton />
        <Button loading={busy} disabled={ending?.told === sourceMessages.import_completed} onClick={send}>
          Import
        </Button>
      </DialogFooter>
    </FormDialog>
  )
}

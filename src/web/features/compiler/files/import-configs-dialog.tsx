import { Alert } from '@mantine/core'
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerFiles } from '../../../../contract/config-files/calls.ts'
import { compilerFileMessages as messages } from '../../../../contract/config-files/client-messages.ts'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { ImportFrame } from '../../../csv-jobs/import-frame.tsx'
import { RowTable } from '../../../csv-jobs/row-table.tsx'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { configsQuery } from '../api.ts'

/** Imports compiler configurations from a CSV file, and lists the rows that were refused. */
export function ImportConfigsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: (chosen: File) => call(compilerFiles.importConfigs, { file: chosen }),
    onError: (error) => setProblem(reasonOf(error, messages.import_failed)),
    onSettled: () => client.invalidateQueries(configsQuery),
  })
  const { isPending: busy, data: reply } = sending
  const take = (files: File[]) => {
    const refused = problemOf(files)
    setProblem(refused)
    setFile(refused === null ? (files[0] ?? null) : null)
    sending.reset()
  }
  const send = () => {
    if (file === null) return setProblem(csvJobMessages.select_csv)
    setProblem(null)
    sending.mutate(file)
  }
  const errors = reply && 'errors' in reply ? reply.errors : []
  return (
    <ImportFrame
      title={messages.title}
      hint={messages.hint}
      file={file}
      busy={busy}
      reading={`${csvJobMessages.importing(file?.name ?? '')}. ${csvJobMessages.import_waits}`}
      percent={null}
      imported={reply !== undefined && reply.status !== 'failed'}
      onFiles={take}
      onSend={send}
      onClose={onClose}
      help={<p>{messages.explained}</p>}
    >
      {problem !== null && (
        <Alert role="alert" color="red" icon={<IconAlertCircle />}>
          {problem}
        </Alert>
      )}
      {reply && (
        <Alert role="status" color={errors.length > 0 ? 'yellow' : 'green'} icon={<IconInfoCircle />}>
          {reply.message}
        </Alert>
      )}
      {errors.length > 0 && <RowTable caption={csvJobMessages.rows_refused(errors.length)} rows={errors} />}
    </ImportFrame>
  )
}

import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isUpload } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTaskDetail } from '../../../../contract/source-tasks/calls.ts'
import type { UploadedFile } from '../../../../contract/uploads/calls.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { formatBytes } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import section from '../../../tasks/history/page-section.module.css'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { sourceTaskModel } from '../components/model.ts'
import { dropOnTask } from './drop-on-task.ts'
import { ReplaceDialog } from './replace-dialog.tsx'
import { replacedSource } from './replaced-source.ts'
import { UploadArea } from './upload-area.tsx'
import { readAgain, saveUpload, uploadsQuery } from './upload-calls.ts'

/** The uploaded files of a task that reads a file: who uploaded each, download, use again, and the upload of a new one. */
export function UploadedFiles({ task }: { task: SourceTaskDetail }) {
  const client = useQueryClient()
  const { data, error, isPending, refetch } = useQuery(uploadsQuery(task.id, task.updated_at))
  const upload = useMutation({ mutationFn: (files: File[]) => dropOnTask(client, task, files) })
  const [asked, setAsked] = useState<File[] | null>(null)
  const take = (files: File[]) => {
    // Former uploads stay on this page, where one press brings them back.
    if (isUpload(task.spreadsheet_id) || replacedSource(task, files) === null) upload.mutate(files)
    else setAsked(files)
  }
  return (
    <section className={section.section} aria-labelledby="uploaded-files">
      <h2 id="uploaded-files">{messages.title}</h2>
      <UploadArea busy={upload.isPending} onFiles={take} />
      {asked && <ReplaceDialog task={task} files={asked} onClose={() => setAsked(null)} />}
      {isPending && <LoadingRows rows={2} label={messages.title} />}
      {error && <LoadError message={reasonOf(error, messages.load_failed)} onRetry={() => refetch()} />}
      {data && data.length > 0 && <FileTable task={task} files={data} />}
    </section>
  )
}

function FileTable({ task, files }: { task: SourceTaskDetail; files: UploadedFile[] }) {
  const zone = useTimeZone()
  return (
    <CardTable
      label={messages.title}
      rows={files}
      keyOf={({ id }) => id}
      columns={[
        { label: 'File', cell: ({ name }) => name },
        { label: 'Size', cell: ({ size }) => formatBytes(size) },
        { label: 'Uploaded', cell: ({ uploaded_at }) => formatMoment(uploaded_at, zone) },
        { label: 'By', cell: ({ uploaded_by }) => uploaded_by ?? messages.deleted_user },
        {
          label: 'Actions',
          place: 'wide',
          cell: (file) => <FileActions task={task} file={file} when={formatMoment(file.uploaded_at, zone)} />,
        },
      ]}
    />
  )
}

function FileActions({ task, file, when }: { task: SourceTaskDetail; file: UploadedFile; when: string }) {
  const client = useQueryClient()
  const use = useMutation({
    mutationFn: () => readAgain(task.id, file.id),
    onSuccess: ({ warnings }) => {
      toast.success(messages.used(file.name))
      for (const warning of warnings) toast.warning(warning, limits.error_toast_ms)
    },
    onError: (error) => toast.error(reasonOf(error, messages.use_failed)),
    onSettled: () => refetchTask(client, sourceTaskModel, task.id),
  })
  const save = useMutation({
    mutationFn: () => saveUpload(task.id, file.id, file.name),
    onError: (error) => toast.error(reasonOf(error, messages.download_failed)),
  })
  return (
    <Group gap={8}>
      {file.is_current && <Badge tone="success" label={messages.current} />}
      {!file.is_current && (
        <Button
          variant="default"
          size="xs"
          loading={use.isPending}
          aria-label={messages.use_of(file.name, when)}
          onClick={() => use.mutate()}
        >
          {messages.use}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        loading={save.isPending}
        aria-label={messages.download_of(file.name, when)}
        onClick={() => save.mutate()}
      >
        {messages.download}
      </Button>
    </Group>
  )
}

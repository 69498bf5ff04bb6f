import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../contract/pipeline/client-messages.ts'
import { previewMessages } from '../../../contract/previews/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { usePreviewMany } from '../actions/preview-many.ts'
import { toastReply } from '../actions/toast-reply.ts'
import { type Pipeline, pipelineQuery, startableOf } from './pipeline-query.ts'

/** Confirmation before the pipeline runs; lists what will start. */
export function RunPipelineDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(pipelineQuery)
  const preview = usePreviewMany()
  const run = useMutation({
    mutationFn: () => call(pipeline.run, {}),
    onSuccess: (reply) => {
      toastReply(reply)
      onClose()
    },
    onError: (error) => toast.error(reasonOf(error, messages.run_failed)),
    onSettled: () => client.invalidateQueries(pipelineQuery),
  })
  const nothing = data && Object.values(startableOf(data).startable).every((count) => count === 0)
  return (
    <Dialog title={messages.confirm_run} onClose={onClose}>
      {isError && !data && <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />}
      {!isError && !data && <LoadingRows rows={2} label="Counting the tasks" />}
      {data && <WhatRuns pipeline={data} />}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="default"
          leftSection={<IconEye size={17} aria-hidden />}
          loading={preview.isPending}
          onClick={() => preview.mutate({ all: true })}
        >
          {previewMessages.preview_pipeline}
        </Button>
        <Button
          onClick={() => run.mutate()}
          loading={run.isPending}
          disabled={!data || nothing}
          data-autofocus
        >
          {messages.run}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function WhatRuns({ pipeline }: { pipeline: Pipeline }) {
  const { startable, under_way } = startableOf(pipeline)
  if (Object.values(startable).every((count) => count === 0)) return <p>{messages.nothing_to_run}</p>
  return (
    <>
      <p>
        {messages.confirm_run_text(startable)}
        {under_way > 0 && ` ${messages.confirm_run_skipped(under_way)}`}
      </p>
      <p>{messages.confirm_run_order}</p>
    </>
  )
}

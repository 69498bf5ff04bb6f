import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { pipelineMessages } from '../../../contract/pipeline/client-messages.ts'

const RunPipelineDialog = lazy(async () => ({
  default: (await import('./run-pipeline-dialog.tsx')).RunPipelineDialog,
}))

/** Runs all active tasks of all categories, after a confirmation that lists them. */
export function RunPipelineButton({ size = 'sm' }: { size?: 'xs' | 'sm' }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        size={size}
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {pipelineMessages.run}
      </Button>
      <Suspense>{asking && <RunPipelineDialog onClose={() => setAsking(false)} />}</Suspense>
    </>
  )
}

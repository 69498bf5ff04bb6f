import { lazy, Suspense, useState } from 'react'
import type { Demo } from './demo.ts'
import { readDemo, storeDemo } from './stored-demo.ts'

const DemoPipeline = lazy(async () => ({ default: (await import('./demo-pipeline.tsx')).DemoPipeline }))
const DemoResult = lazy(async () => ({ default: (await import('./demo-result.tsx')).DemoResult }))

type Props = {
  sandbox_url: string
  /** Whether there are sync tasks; otherwise the demo is offered. */
  has_sync_tasks: boolean
}

/** Offers the demo, or shows the result of the demo that this browser has set up, until that is closed. */
export function DemoSection({ sandbox_url, has_sync_tasks }: Props) {
  const [demo, setDemo] = useState(readDemo)
  const change = (next: Demo | null) => {
    storeDemo(next)
    setDemo(next)
  }
  return (
    <Suspense>
      {!has_sync_tasks && <DemoPipeline sandbox_url={sandbox_url} onSetUp={change} />}
      {has_sync_tasks && demo && <DemoResult demo={demo} onClose={() => change(null)} />}
    </Suspense>
  )
}

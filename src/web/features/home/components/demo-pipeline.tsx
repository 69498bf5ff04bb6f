import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { pipelineQuery } from '../../../tasks/pipeline/pipeline-query.ts'
import { toast } from '../../../ui/toast.ts'
import { type Demo, setUpDemo } from './demo.ts'
import classes from './demo-pipeline.module.css'

/** Offers to set up a pipeline with the demo data of the sandbox. */
export function DemoPipeline({
  sandbox_url,
  onSetUp,
}: {
  sandbox_url: string
  onSetUp: (demo: Demo) => void
}) {
  const client = useQueryClient()
  const demo = useMutation({
    mutationFn: () => setUpDemo(sandbox_url),
    onSuccess: ({ demo, reply }) => {
      onSetUp(demo)
      toastReply(reply)
    },
    onError: (error) => toast.error(reasonOf(error, messages.demo_failed)),
    onSettled: () => client.invalidateQueries(pipelineQuery),
  })
  return (
    <section className={classes.demo} aria-labelledby="demo">
      <div>
        <h2 id="demo">{messages.demo}</h2>
        <p>{messages.demo_text}</p>
      </div>
      <Button loading={demo.isPending} onClick={() => demo.mutate()}>
        {messages.demo_run}
      </Button>
    </section>
  )
}

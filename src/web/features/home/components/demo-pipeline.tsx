import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { pipelineQuery } from '../../../tasks/pipeline/pipeline-query.ts'
import { toast } from '../../../ui/toast.ts'
import { setUpDemo } from './demo.ts'
import classes from './demo-pipeline.module.css'

/** Offers the demo data's way from its origins to a target sheet, where there is a sandbox that has them. */
export function DemoPipeline({ sandbox_url }: { sandbox_url: string }) {
  const client = useQueryClient()
  const demo = useMutation({
    mutationFn: () => setUpDemo(sandbox_url),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.demo_failed)),
    onSettled: () => client.invalidateQueries(pipelineQuery),
  })
  return (
    <section className={classes.demo} aria-labelledby="demo">
      <div>
        <h3 id="demo">{messages.demo}</h3>
        <p>{messages.demo_text}</p>
      </div>
      <Button loading={demo.isPending} onClick={() => demo.mutate()}>
        {messages.demo_run}
      </Button>
    </section>
  )
}

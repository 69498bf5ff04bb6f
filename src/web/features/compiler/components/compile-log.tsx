import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { messages } from '../../../../contract/page-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import classes from '../../../tasks/history/page-section.module.css'
import { TaskLog } from '../../../tasks/history/task-log.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { clearCompileLog, compileLogQuery } from '../api.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** The log of a configuration, newest first; new lines appear as they are written. */
export function CompileLog({ config }: { config: CompilerConfig }) {
  const client = useQueryClient()
  const query = useQuery(compileLogQuery(config.id))
  const [asking, setAsking] = useState(false)
  const clear = useMutation({
    mutationFn: () => clearCompileLog(config.id),
    onSuccess: () => {
      toast.success(messages.logs_cleared)
      return client.invalidateQueries(compileLogQuery(config.id))
    },
    onError: (error) => toast.error(reasonOf(error, messages.clear_logs_failed)),
    onSettled: () => setAsking(false),
  })
  return (
    <section className={classes.section} aria-labelledby="log">
      <div className={classes.head}>
        <h2 id="log">Log</h2>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={!query.data?.length}
          onClick={() => setAsking(true)}
        >
          Clear Logs
        </Button>
      </div>
      {query.isError && <LoadError message={messages.fetch_logs_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={3} label="Loading the log" />}
      {query.data?.length === 0 && <EmptyState level={3} title={messages.no_logs} />}
      {query.data && query.data.length > 0 && <TaskLog entries={query.data} />}
      <Suspense>
        {asking && (
          <ConfirmDialog
            title={messages.confirm_clear_logs}
            confirm="Clear Logs"
            busy={clear.isPending}
            onConfirm={() => clear.mutate()}
            onClose={() => setAsking(false)}
          >
            {messages.confirm_clear_logs_text(config.name)}
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  )
}

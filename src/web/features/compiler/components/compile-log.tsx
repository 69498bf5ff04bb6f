import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import classes from '../../../tasks/history/page-section.module.css'
import { TaskLog } from '../../../tasks/history/task-log.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { clearCompileLog, compileLogQuery } from '../api.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('../../../ui/delete-dialog.tsx')).DeleteDialog,
}))

/** The log of a configuration, newest first; new lines appear as they are written. */
export function CompileLog({ config }: { config: CompilerConfig }) {
  const client = useQueryClient()
  const query = useQuery(compileLogQuery(config.id))
  const [asking, setAsking] = useState(false)
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
      {query.isError && (
        <LoadError message={taskMessages.fetch_logs_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={3} label="Loading the log" />}
      {query.data?.length === 0 && <EmptyState level={3} title={taskMessages.no_logs} />}
      {query.data && query.data.length > 0 && <TaskLog entries={query.data} />}
      <Suspense>
        {asking && (
          <DeleteDialog
            title={taskMessages.confirm_clear_logs}
            confirm="Clear Logs"
            question={taskMessages.confirm_clear_logs_text(config.name)}
            remove={() => clearCompileLog(config.id)}
            deleted={taskMessages.logs_cleared}
            failed={taskMessages.clear_logs_failed}
            onDeleted={() => client.invalidateQueries(compileLogQuery(config.id))}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </section>
  )
}

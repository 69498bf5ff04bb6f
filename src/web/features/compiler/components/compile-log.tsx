import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { useAddress } from '../../../lib/use-address.ts'
import classes from '../../../tasks/history/page-section.module.css'
import { readLogFilters, writeLogFilters } from '../../../tasks/log/log-filters.ts'
import { logOf } from '../../../tasks/log/log-queries.ts'
import { LogView } from '../../../tasks/log/log-view.tsx'
import { clearCompileLog } from '../api.ts'
import { compileKeys, compileModel } from './model.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('../../../ui/delete-dialog.tsx')).DeleteDialog,
}))

/** Log of a configuration, newest first, updated live. */
export function CompileLog({ config }: { config: CompilerConfig }) {
  const client = useQueryClient()
  const [params, setParams] = useAddress()
  const [asking, setAsking] = useState(false)
  return (
    <LogView
      source={{ ...logOf(compileModel, config.id), task_id: config.task_id }}
      filters={readLogFilters(params)}
      onFilter={(change) => setParams((before) => writeLogFilters(before, change))}
      poll_ms={false}
      endless={false}
    >
      {({ is_empty, log }) => (
        <section className={classes.section} aria-labelledby="log">
          <div className={classes.head}>
            <h2 id="log">Log</h2>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconTrash size={15} aria-hidden />}
              disabled={is_empty}
              onClick={() => setAsking(true)}
            >
              Clear Logs
            </Button>
          </div>
          <div>{log}</div>
          <Suspense>
            {asking && (
              <DeleteDialog
                title={taskMessages.confirm_clear_logs}
                confirm="Clear Logs"
                question={taskMessages.confirm_clear_logs_text(config.name)}
                remove={() => clearCompileLog(config.id)}
                deleted={taskMessages.logs_cleared}
                failed={taskMessages.clear_logs_failed}
                onDeleted={() => client.invalidateQueries({ queryKey: compileKeys.logs(config.id) })}
                onClose={() => setAsking(false)}
              />
            )}
          </Suspense>
        </section>
      )}
    </LogView>
  )
}

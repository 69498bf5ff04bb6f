import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { authMessages } from '../../../contract/auth/client-messages.ts'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'

import { JobTable } from '../../csv-jobs/job-table.tsx'
import { jobsQuery } from '../../csv-jobs/jobs.ts'
import { CallError } from '../../lib/call.ts'
import { requestLogin } from '../../lib/login-request.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { exportSyncTasks } from './api.ts'
import { ImportPanel } from './components/import-panel.tsx'
import classes from './import-export-screen.module.css'

/** CSV export and import of sync tasks, with the results of recent imports. The page is public; its calls need a session. */
export function ImportExportScreen() {
  const jobs = useQuery(jobsQuery('sync_task'))
  const exporting = useMutation({
    ...exportSyncTasks,
    onSuccess: () => toast.success(syncTaskMessages.sync_tasks_exported, limits.csv_toast_ms),
    onError: () => toast.error(syncTaskMessages.export_sync_tasks_failed, limits.csv_toast_ms),
  })
  const refused = jobs.error instanceof CallError && jobs.error.status === 401
  return (
    <>
      <PageHeader title="Import/Export" subtitle="Sync tasks as CSV files" />
      <div className={classes.panels}>
        <section className={classes.panel} aria-labelledby="export">
          <h2 id="export">Export</h2>
          <p>{csvJobMessages.export_explained}</p>
          <Button
            leftSection={<IconDownload size={17} aria-hidden />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate()}
          >
            Export CSV
          </Button>
        </section>
        <ImportPanel jobs={jobs.data ?? []} />
      </div>
      <section className={classes.jobs} aria-labelledby="jobs">
        <h2 id="jobs">Last imports</h2>
        {jobs.isPending && <LoadingRows rows={3} label="Loading the last imports" />}
        {refused && (
          <EmptyState title={authMessages.login_required} level={3}>
            <Button onClick={() => requestLogin()}>Sign in</Button>
          </EmptyState>
        )}
        {jobs.error && !refused && (
          <LoadError
            message={reasonOf(jobs.error, csvJobMessages.fetch_jobs_failed)}
            onRetry={() => jobs.refetch()}
          />
        )}
        {jobs.data?.length === 0 && (
          <EmptyState title={csvJobMessages.no_imports} hint={csvJobMessages.no_imports_hint} level={3} />
        )}
        {jobs.data && jobs.data.length > 0 && <JobTable jobs={jobs.data} />}
      </section>
    </>
  )
}

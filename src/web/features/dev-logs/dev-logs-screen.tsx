import { Button, NativeSelect } from '@mantine/core'
import { IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { authMessages } from '../../../contract/auth/client-messages.ts'
import { DEFAULT_LOG_FILE, type LogFile } from '../../../contract/dev-logs/calls.ts'
import { devLogMessages } from '../../../contract/dev-logs/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { CallError } from '../../lib/call.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { requestLogin } from '../../lib/login-request.ts'
import { copyText } from '../../ui/copy-text.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { asText, clearFailure, clearFile, filesFailure, filesQuery, linesFailure, linesQuery } from './api.ts'
import { LineFilterBar } from './components/line-filter-bar.tsx'
import { filterLines, noLineFilters, readLineFilters, writeLineFilters } from './components/line-filters.ts'
import { LogLines } from './components/log-lines.tsx'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

const back = { to: '/', label: 'Back to Home' }
const title = 'Developer Logs'

/** Log files of the server. The page is public; its calls need a session. */
export function DevLogsScreen() {
  const query = useQuery(filesQuery)
  const { data, error } = query
  const [params] = useSearchParams()
  if (data && (data.files.length > 0 || params.has('file')))
    return <Viewer files={data.files} file={params.get('file') ?? firstOf(data.files)} />
  const refused = error instanceof CallError && error.status === 401
  return (
    <>
      <PageHeader title={title} back={back} />
      {query.isPending && <LoadingRows rows={12} label="Loading the log files" />}
      {data && <EmptyState title={taskMessages.no_logs} />}
      {refused && (
        <EmptyState title={authMessages.login_required}>
          <Button onClick={() => requestLogin()}>Sign in</Button>
        </EmptyState>
      )}
      {error && !refused && <LoadError message={filesFailure(error)} onRetry={() => query.refetch()} />}
    </>
  )
}

const firstOf = (files: LogFile[]) =>
  files.find(({ id }) => id === DEFAULT_LOG_FILE)?.id ?? files[0]?.id ?? DEFAULT_LOG_FILE

const labelOf = ({ id, current, bytes }: LogFile) =>
  `${id} (${formatNumber(Math.ceil(bytes / 1024))} kB${current ? '' : ', rolled'})`

function Viewer({ files, file }: { files: LogFile[]; file: string }) {
  const [params, setParams] = useSearchParams()
  const filters = readLineFilters(params)
  const query = useQuery(linesQuery(file))
  const [asking, setAsking] = useState(false)
  const clear = useMutation({
    ...clearFile,
    onSuccess: () => toast.success(devLogMessages.log_file_cleared),
    onError: (error) => toast.error(clearFailure(error)),
  })
  const all = query.data?.lines ?? []
  const lines = filterLines(all, filters)
  const choices = files.map((one) => ({ value: one.id, label: labelOf(one) }))
  // The URL can name a file that no longer exists.
  const known = files.some(({ id }) => id === file)
  return (
    <>
      <PageHeader
        title={title}
        subtitle={
          query.data &&
          all.length > 0 &&
          `${countOf(lines.length, all.length)}, newest first${query.data.truncated ? `. ${devLogMessages.dev_logs_truncated}` : ''}`
        }
        back={back}
      >
        <NativeSelect
          aria-label="Log file"
          data={known ? choices : [{ value: file, label: file }, ...choices]}
          value={file}
          onChange={({ currentTarget }) =>
            setParams(
              (before) => {
                before.set('file', currentTarget.value)
                return before
              },
              { replace: true },
            )
          }
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={17} aria-hidden />}
          loading={query.isFetching}
          onClick={() => query.refetch()}
        >
          Refresh
        </Button>
        <Button
          variant="default"
          leftSection={<IconCopy size={17} aria-hidden />}
          disabled={lines.length === 0}
          onClick={() => copyText(asText(lines), devLogMessages.dev_logs_copied)}
        >
          Copy Logs
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={17} aria-hidden />}
          disabled={!query.data}
          onClick={() => setAsking(true)}
        >
          Clear Logs
        </Button>
      </PageHeader>
      {query.isError && <LoadError message={linesFailure(query.error)} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={12} label="Loading the log" />}
      {all.length > 0 && (
        <LineFilterBar
          filters={filters}
          onChange={(next) => setParams((before) => writeLineFilters(before, next), { replace: true })}
        />
      )}
      {query.data && all.length === 0 && <EmptyState title={taskMessages.no_logs} />}
      {all.length > 0 && lines.length === 0 && (
        <NothingMatches
          title={devLogMessages.no_matching_lines}
          onClear={() => setParams((before) => writeLineFilters(before, noLineFilters), { replace: true })}
        />
      )}
      {lines.length > 0 && <LogLines lines={lines} search={filters.search} />}
      <Suspense>
        {asking && (
          <ConfirmDialog
            title={taskMessages.confirm_clear_logs}
            confirm="Clear Logs"
            busy={clear.isPending}
            onConfirm={() => clear.mutate(file, { onSettled: () => setAsking(false) })}
            onClose={() => setAsking(false)}
          >
            {devLogMessages.confirm_clear_dev_logs(file)}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}

const countOf = (shown: number, all: number) =>
  shown === all ? formatCount(all, 'line') : `${formatNumber(shown)} of ${formatCount(all, 'line')}`

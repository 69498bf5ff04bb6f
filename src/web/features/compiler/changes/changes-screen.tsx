import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { compilerChanges } from '../../../../contract/compiler/changes.ts'
import { compilerMessages as messages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { limits } from '../../../../contract/limits.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { CallError } from '../../../lib/call.ts'
import { usePathId } from '../../../lib/path-id.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useAddress } from '../../../lib/use-address.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configsQuery } from '../api.ts'
import { WaitingRecords } from '../components/waiting-records.tsx'
import { ChangeFilterBar } from './change-filter-bar.tsx'
import {
  changeFilterNames,
  changesQuery,
  queryOf,
  readChangeFilters,
  unfiltered,
  type WantedChanges,
} from './change-filters.ts'
import { ChangeTable } from './change-table.tsx'

/** What the last compile of a configuration changed. Filters are in the address. */
export function ChangesScreen() {
  const id = usePathId()
  const query = useQuery(configsQuery)
  const config = query.data?.find((one) => one.id === id)
  if (config) return <Changes key={config.id} config={config} />
  return (
    <>
      <PageHeader title="Changes" back={{ to: '/compiler', label: 'Back to Data Compiler' }} />
      {query.isError && (
        <LoadError message={taskMessages.fetch_compiler_configs_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={5} label="Loading the configuration" />}
      {query.data && <EmptyState title={messages.missing} />}
    </>
  )
}

function Changes({ config }: { config: CompilerConfig }) {
  const [params, changeAddress] = useAddress()
  const filters = readChangeFilters(params)
  const apply = (wanted: WantedChanges) =>
    changeAddress((before) => {
      const next = new URLSearchParams(before)
      for (const name of changeFilterNames) next.delete(name)
      for (const [name, value] of Object.entries(wanted)) if (value) next.set(name, value)
      return next
    })
  const save = useExport(config, filters)
  const isWaiting = filters.waiting !== undefined
  return (
    <>
      <PageHeader
        title={messages.changes_title(config.name)}
        subtitle={isWaiting ? messages.waiting_changes_hint : messages.changes_hint}
        back={{ to: `/compiler/${config.id}`, label: `Back to ${config.name}` }}
      >
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          Export CSV
        </Button>
      </PageHeader>
      {isWaiting && <WaitingRecords config={config} />}
      <ChangeFilterBar config={config} filters={filters} onApply={apply} />
      <Found config={config} filters={filters} onClear={() => apply(unfiltered(filters))} />
    </>
  )
}

const useExport = (config: CompilerConfig, filters: WantedChanges) =>
  useMutation({
    mutationFn: () => saveFile(compilerChanges.exportChanges, { query: queryOf(config.id, filters) }),
    onError: (error) =>
      error instanceof CallError && error.code === 'nothing_to_export'
        ? toast.info(messages.no_data_to_export)
        : toast.error(messages.export_failed, limits.csv_toast_ms),
  })

type FoundProps = { config: CompilerConfig; filters: WantedChanges; onClear: () => void }

function Found({ config, filters, onClear }: FoundProps) {
  const query = useInfiniteQuery(changesQuery(config.id, filters))
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? []
  const isFiltered = Object.keys(unfiltered(filters)).length < Object.keys(filters).length
  return (
    <section aria-label="Changes" aria-busy={query.isFetching}>
      {query.isError && <LoadError message={messages.changes_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={8} label="Loading the changes" />}
      {query.data && changes.length > 0 && <ChangeTable config_id={config.id} changes={changes} />}
      {query.data && changes.length === 0 && query.hasNextPage && (
        <EmptyState title={messages.no_changes_found} hint={messages.none_so_far} level={2} />
      )}
      {query.data &&
        changes.length === 0 &&
        !query.hasNextPage &&
        (isFiltered ? (
          <NothingMatches
            title={messages.no_changes_found}
            hint={messages.none_found_hint}
            onClear={onClear}
          />
        ) : (
          <EmptyState title={messages.no_changes} hint={messages.first_compile} level={2} />
        ))}
      {query.hasNextPage && (
        <Button
          variant="default"
          fullWidth
          mt={12}
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {messages.more_changes}
        </Button>
      )}
    </section>
  )
}

import { Button } from '@mantine/core'
import { IconPencil, IconTable } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { call } from '../../lib/call.ts'
import { usePathId } from '../../lib/path-id.ts'
import { PageStar } from '../../tasks/favourites/page-star.tsx'
import { LastRuns } from '../../tasks/history/last-runs.tsx'
import { RunHistory } from '../../tasks/history/run-history.tsx'
import { NotesSection } from '../../tasks/ownership/notes-section.tsx'
import { DescribedRuns } from '../../tasks/task-descriptor.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { configsQuery, notesCalls } from './api.ts'
import { CompileButton } from './components/compile-button.tsx'
import { ConfigFacts } from './components/config-facts.tsx'
import { compileModel } from './components/model.ts'
import { StatsCards } from './components/stats-cards.tsx'
import { useCompileStates } from './components/use-compile-states.ts'
import { WaitingRecords } from './components/waiting-records.tsx'
import { ReviewsNotice } from './overrides/reviews-notice.tsx'
import { LoneColumnsSection } from './quality/lone-columns-section.tsx'
import { MappedSection } from './quality/mapped-section.tsx'
import { QualitySection } from './quality/quality-section.tsx'
import { UnmatchedSection } from './quality/unmatched-section.tsx'
import { recordsPath } from './records/record-filters.ts'

const ConfigDialog = lazy(async () => ({
  default: (await import('./editor/config-dialog.tsx')).ConfigDialog,
}))

const SettingChanges = lazy(async () => ({
  default: (await import('../../tasks/setting-changes/setting-changes.tsx')).SettingChanges,
}))

const CompileLog = lazy(async () => ({
  default: (await import('./components/compile-log.tsx')).CompileLog,
}))

const back = { to: '/compiler', label: 'Back to Data Compiler' }

/** One configuration: quality of its records, and its compiles. */
export function CompilerConfigScreen() {
  const id = usePathId()
  const query = useQuery(configsQuery)
  const config = query.data?.find((one) => one.id === id)
  if (config) return <OneConfig key={config.id} config={config} />
  return (
    <>
      <PageHeader title="Configuration" back={back} />
      {query.isError && (
        <LoadError message={taskMessages.fetch_compiler_configs_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={5} label="Loading the configuration" />}
      {query.data && (
        <EmptyState title={compilerMessages.missing}>
          <Link to={back.to}>{back.label}</Link>
        </EmptyState>
      )}
    </>
  )
}

function OneConfig({ config }: { config: CompilerConfig }) {
  const client = useQueryClient()
  const state = useCompileStates().get(config.task_id)
  // a snapshot, so a refetch does not change an open dialog
  const [editing, setEditing] = useState<CompilerConfig | null>(null)
  return (
    <DescribedRuns as={compileModel}>
      <PageHeader title={config.name} subtitle={config.description} back={back}>
        <PageStar task_id={config.task_id} name={config.name} />
        <Button
          component={Link}
          to={recordsPath(config.id)}
          variant="default"
          leftSection={<IconTable size={17} aria-hidden />}
        >
          View Data
        </Button>
        <Button component={Link} to={`/compiler/${config.id}/overrides`} variant="default">
          Overrides
        </Button>
        <Button component={Link} to={`/compiler/${config.id}/decisions`} variant="default">
          Decisions
        </Button>
        <Button
          variant="default"
          leftSection={<IconPencil size={17} aria-hidden />}
          onClick={() => setEditing(config)}
        >
          Edit
        </Button>
        <CompileButton config={config} state={state} />
      </PageHeader>
      <ConfigFacts config={config} state={state} />
      <WaitingRecords config={config} isLinked />
      <ReviewsNotice config_id={config.id} />
      <StatsCards config={config} />
      <NotesSection noted={config} calls={notesCalls(client, config.id)} />
      <QualitySection config={config} />
      <UnmatchedSection config={config} />
      <MappedSection config={config} />
      <LoneColumnsSection config={config} />
      <LastRuns task={config} />
      <Suspense fallback={<LoadingRows rows={3} label="Loading the log" />}>
        <CompileLog config={config} />
      </Suspense>
      <RunHistory task={config} task_id={config.task_id} />
      <Suspense>
        <SettingChanges
          task_id={config.task_id}
          version={config.updated_at}
          revert={async (body) => {
            await call(compiler.revertConfig, { params: { id: config.id }, body })
            await client.invalidateQueries(configsQuery)
          }}
        />
      </Suspense>
      <Suspense>{editing && <ConfigDialog config={editing} onClose={() => setEditing(null)} />}</Suspense>
    </DescribedRuns>
  )
}

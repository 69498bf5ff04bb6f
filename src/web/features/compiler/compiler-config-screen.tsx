import { Button } from '@mantine/core'
import { IconPencil, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { compilerMessages } from '../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { usePathId } from '../../lib/path-id.ts'
import { LastRuns } from '../../tasks/history/last-runs.tsx'
import { RunHistory } from '../../tasks/history/run-history.tsx'
import { DescribedRuns } from '../../tasks/task-descriptor.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { configsQuery } from './api.ts'
import { CompileButton } from './components/compile-button.tsx'
import { CompileLog } from './components/compile-log.tsx'
import { ConfigFacts } from './components/config-facts.tsx'
import { compileModel } from './components/model.ts'
import { StatsCards } from './components/stats-cards.tsx'
import { useCompileStates } from './components/use-compile-states.ts'
import { LoneColumnsSection } from './quality/lone-columns-section.tsx'
import { MappedSection } from './quality/mapped-section.tsx'
import { QualitySection } from './quality/quality-section.tsx'
import { UnmatchedSection } from './quality/unmatched-section.tsx'
import { recordsPath } from './records/record-filters.ts'

const ConfigDialog = lazy(async () => ({
  default: (await import('./editor/config-dialog.tsx')).ConfigDialog,
}))

const back = { to: '/compiler', label: 'Back to Data Compiler' }

/** One configuration: how good its records are, and how its compiles went. */
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
  const state = useCompileStates().get(config.task_id)
  // what the dialog started from stays, whatever is read meanwhile
  const [editing, setEditing] = useState<CompilerConfig | null>(null)
  return (
    <DescribedRuns as={compileModel}>
      <PageHeader title={config.name} subtitle={config.description} back={back}>
        <Button
          component={Link}
          to={recordsPath(config.id)}
          variant="default"
          leftSection={<IconTable size={17} aria-hidden />}
        >
          View Data
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
      <StatsCards config={config} />
      <QualitySection config={config} />
      <UnmatchedSection config={config} />
      <MappedSection config={config} />
      <LoneColumnsSection config={config} />
      <LastRuns task={config} />
      <CompileLog config={config} />
      <RunHistory task={config} />
      <Suspense>{editing && <ConfigDialog config={editing} onClose={() => setEditing(null)} />}</Suspense>
    </DescribedRuns>
  )
}

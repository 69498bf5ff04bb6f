import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { compilerMessages } from '../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { useAddress } from '../../lib/use-address.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { configsQuery } from './api.ts'
import classes from './compiler-screen.module.css'
import { ConfigPicker } from './components/config-picker.tsx'
import { chooseConfig, storeConfig, storedConfig } from './components/selected-config.ts'
import { StatsCards } from './components/stats-cards.tsx'
import { useCompileStates } from './components/use-compile-states.ts'
import { readConfigFilters, withConfigFilters } from './configs/config-filters.ts'
import { ConfigTable } from './configs/config-table.tsx'
import { ConfigFiles } from './files/config-files.tsx'

const RecordsTab = lazy(async () => ({ default: (await import('./records/records-tab.tsx')).RecordsTab }))

const ConfigDialog = lazy(async () => ({
  default: (await import('./editor/config-dialog.tsx')).ConfigDialog,
}))

const DeleteConfigDialog = lazy(async () => ({
  default: (await import('./configs/delete-config-dialog.tsx')).DeleteConfigDialog,
}))

const tabs = [
  { name: 'configs', label: 'Configurations' },
  { name: 'data', label: 'Compiled Data' },
] as const

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; config: CompilerConfig }

/** The data compiler: configurations and their records. */
export function CompilerScreen() {
  const [params, setParams] = useSearchParams()
  const [address, changeAddress] = useAddress()
  const query = useQuery(configsQuery)
  const states = useCompileStates()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const configs = query.data ?? []
  const chosen = chooseConfig(configs, params.get('config'), storedConfig())
  const tab = tabs.find(({ name }) => name === params.get('tab'))?.name ?? 'configs'

  // filters and page apply to one configuration only
  const choose = (id: number, shown = tab) => {
    storeConfig(id)
    setParams({ tab: shown, config: String(id) })
  }
  const show = (name: typeof tab) => {
    const next = new URLSearchParams(params)
    next.set('tab', name)
    setParams(next)
  }
  const picker = { configs, chosen, onChoose: (id: number) => choose(id) }

  return (
    <>
      <PageHeader
        title="Data Compiler"
        subtitle={
          query.data && (
            <>
              {formatCount(configs.length, 'configuration')} ·{' '}
              <Link to="/runs?category=compiler" className={classes.runs}>
                {taskMessages.all_runs}
              </Link>
            </>
          )
        }
      >
        {configs.length > 0 && <ConfigPicker label="Active Config" shown {...picker} />}
        {tab === 'configs' && <ConfigFiles />}
        <AddButton blocked={open !== null} onAdd={() => setOpen({ kind: 'add' })}>
          New Configuration
        </AddButton>
      </PageHeader>
      {query.isError && (
        <LoadError message={taskMessages.fetch_compiler_configs_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={6} label="Loading the configurations" />}
      {query.data && (
        <>
          {chosen && <StatsCards config={chosen} />}
          <Tabs label="Data Compiler" tabs={tabs} chosen={tab} onChoose={show}>
            {tab === 'data' ? (
              <Suspense fallback={<LoadingRows label="Loading the records" />}>
                <RecordsTab config={chosen} picker={<ConfigPicker label="Configuration" {...picker} />} />
              </Suspense>
            ) : configs.length === 0 ? (
              <EmptyState title={compilerMessages.none_yet} hint={compilerMessages.none_yet_hint}>
                <Button onClick={() => setOpen({ kind: 'add' })}>New Configuration</Button>
              </EmptyState>
            ) : (
              <ConfigTable
                configs={configs}
                filters={readConfigFilters(address)}
                onChange={(change) =>
                  changeAddress((before) =>
                    withConfigFilters(before, { ...readConfigFilters(before), ...change }),
                  )
                }
                states={states}
                onEdit={(config) => setOpen({ kind: 'edit', config })}
                onDelete={(config) => setOpen({ kind: 'delete', config })}
              />
            )}
          </Tabs>
        </>
      )}
      <Suspense>
        {open?.kind === 'add' && (
          <ConfigDialog config={null} onSaved={({ id }) => choose(id)} onClose={close} />
        )}
        {open?.kind === 'edit' && <ConfigDialog config={open.config} onClose={close} />}
        {open?.kind === 'delete' && <DeleteConfigDialog config={open.config} onClose={close} />}
      </Suspense>
    </>
  )
}

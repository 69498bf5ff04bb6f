import { lazy, Suspense, useMemo } from 'react'
import { allRunsMessages as messages } from '../../../contract/all-runs/client-messages.ts'
import { useAddress } from '../../lib/use-address.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { runIn } from './components/run-address.ts'
import { RunFilterBar } from './components/run-filter-bar.tsx'
import { noFilters, type RunFilters, readRunFilters, writeRunFilters } from './components/run-filters.ts'
import { RunList } from './list/run-list.tsx'
import { rangeIn } from './timeline/ranges.ts'

const Timeline = lazy(async () => ({ default: (await import('./timeline/timeline.tsx')).Timeline }))
const RunPanel = lazy(async () => ({ default: (await import('./panel/run-panel.tsx')).RunPanel }))

const tabs = [
  { name: 'list', label: 'List' },
  { name: 'timeline', label: 'Timeline' },
] as const

/** The runs of all tasks, as a list or on a time axis. View, filters and the open run are kept in the address. */
export function RunsScreen() {
  const [params, changeAddress] = useAddress()
  const address = params.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address has the same filters
  const filters = useMemo(() => readRunFilters(params), [address])
  const view = params.get('view') === 'timeline' ? 'timeline' : 'list'
  const range = rangeIn(params)
  const run = runIn(params)
  const set = (name: string, value: string) =>
    changeAddress((before) => {
      const next = new URLSearchParams(before)
      next.set(name, value)
      return next
    })
  const change = (part: Partial<RunFilters>) =>
    changeAddress((before) => writeRunFilters(before, { ...readRunFilters(before), ...part }))
  const clear = () => changeAddress((before) => writeRunFilters(before, noFilters))
  return (
    <>
      <PageHeader
        title={messages.title}
        subtitle={messages.subtitle}
        back={{ to: '/', label: 'Back to Home' }}
      />
      <Tabs label="Views" tabs={tabs} chosen={view} onChoose={(name) => set('view', name)}>
        <RunFilterBar
          filters={filters}
          onChange={change}
          onClear={clear}
          within={view === 'list'}
          onView={(saved) =>
            changeAddress((before) => writeRunFilters(before, readRunFilters(new URLSearchParams(saved))))
          }
        />
        {view === 'list' ? (
          <RunList filters={filters} onClear={clear} />
        ) : (
          <Suspense fallback={<LoadingRows rows={10} label="Loading the timeline" />}>
            <Timeline
              filters={filters}
              range={range}
              onRange={(name) => set('range', name)}
              onClear={clear}
            />
          </Suspense>
        )}
      </Tabs>
      <Suspense>{run !== null && <RunPanel id={run} />}</Suspense>
    </>
  )
}

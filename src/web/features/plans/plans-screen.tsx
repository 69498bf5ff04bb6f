import { Button } from '@mantine/core'
import { IconEye, IconPencilCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Preview } from '../../../contract/plans/calls.ts'
import { readRanges } from '../../../contract/plans/run-ranges.ts'
import { previewMessages as messages } from '../../../contract/previews/client-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { usePreviewMany } from '../../tasks/actions/preview-many.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { isLive, previewsQuery } from './api.ts'
import { SummaryCard, SummaryLines } from './components/plan-summary.tsx'
import { PreviewList } from './components/preview-list.tsx'
import { applicable, inOrder, totalLines } from './components/totals.ts'
import { useApplyMany } from './components/use-apply.ts'

const ApplyAllDialog = lazy(async () => ({
  default: (await import('./components/apply-all-dialog.tsx')).ApplyAllDialog,
}))

/** Previews of several sync tasks: what they change together, and the plan of each. Their runs are in the address. */
export function PlansScreen() {
  const runs = useSearchParams()[0].get('runs') ?? ''
  const query = useQuery({ ...previewsQuery(runs), enabled: readRanges(runs) !== null })
  const previews = useMemo(() => inOrder(query.data ?? []), [query.data])
  const isEmpty = readRanges(runs) === null || query.data?.length === 0
  return (
    <>
      <PageHeader
        title={messages.title}
        subtitle={previews.length > 0 && <span role="status">{progressOf(previews)}</span>}
        back={{ to: '/sync_tasks', label: messages.to_list }}
      >
        {previews.length > 0 && <PlansActions previews={previews} />}
      </PageHeader>
      {isEmpty && (
        <EmptyState title={messages.none} hint={messages.none_hint}>
          <Button component={Link} to="/sync_tasks" variant="default">
            {messages.to_list}
          </Button>
        </EmptyState>
      )}
      {!isEmpty && query.isPending && <LoadingRows rows={6} label={messages.loading} />}
      {query.isError && !query.data && (
        <LoadError message={reasonOf(query.error, messages.fetch_failed)} onRetry={() => query.refetch()} />
      )}
      {previews.length > 0 && <Totals previews={previews} />}
      {previews.length > 0 && <PreviewList previews={previews} />}
    </>
  )
}

function progressOf(previews: readonly Preview[]): string {
  const live = previews.filter(({ state }) => isLive(state)).length
  return live === 0
    ? messages.ready(previews.length)
    : messages.progress(previews.length - live, previews.length)
}

function Totals({ previews }: { previews: readonly Preview[] }) {
  const lines = totalLines(previews)
  if (lines.length === 0) return null
  return (
    <SummaryCard label={messages.total}>
      <SummaryLines lines={lines} />
    </SummaryCard>
  )
}

function PlansActions({ previews }: { previews: readonly Preview[] }) {
  const again = usePreviewMany()
  const apply = useApplyMany()
  const [asked, setAsked] = useState<{ chosen: Preview[]; left_out: number } | null>(null)
  const chosen = applicable(previews)
  const ids = previews.flatMap(({ task }) => task?.id ?? [])
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEye size={17} aria-hidden />}
        loading={again.isPending}
        disabled={ids.length === 0}
        onClick={() => again.mutate({ ids })}
      >
        {messages.again}
      </Button>
      <Button
        leftSection={<IconPencilCheck size={17} aria-hidden />}
        loading={apply.isPending}
        {...disabledWithReason(chosen.length === 0 ? messages.nothing_to_write : null, () =>
          setAsked({ chosen, left_out: previews.length - chosen.length }),
        )}
      >
        {messages.write_all(chosen.length)}
      </Button>
      <Suspense>
        {asked && (
          <ApplyAllDialog
            {...asked}
            onConfirm={() => {
              apply.mutate(asked.chosen.flatMap(({ plan }) => plan?.hash ?? []))
              setAsked(null)
            }}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  )
}

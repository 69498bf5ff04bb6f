import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { compilerRecords, type UnmatchedSku } from '../../../../contract/compiler/records.ts'
import { formatCount } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import sections from '../../../tasks/history/page-section.module.css'
import { CardTable } from '../../../ui/card-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { mapSku, unmatchedQuery } from '../api.ts'
import { Pager } from '../records/pager.tsx'
import { recordsPath } from '../records/record-filters.ts'
import { CandidateButtons } from './candidate-buttons.tsx'
import classes from './quality.module.css'

/** SKUs that are missing from the master; a button maps each to a master SKU. */
export function UnmatchedSection({ config }: { config: CompilerConfig }) {
  const [page, setPage] = useState(1)
  const query = useQuery(unmatchedQuery(config.id, page))
  const total = query.data?.total_count ?? 0
  return (
    <section className={sections.section} aria-labelledby="unmatched">
      <div className={sections.head}>
        <h2 id="unmatched">SKUs missing from the master</h2>
        {total > 0 && (
          <Link to={recordsPath(config.id, { not_in_master: 'true' })}>{formatCount(total, 'record')}</Link>
        )}
      </div>
      {query.isError && (
        <LoadError message={compilerMessages.unmatched_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={3} label="Loading SKUs that are not in the master" />}
      {query.data && total === 0 && <EmptyState level={3} title={compilerMessages.none_unmatched} />}
      {query.data && total > 0 && (
        <>
          <p className={classes.note}>
            {compilerMessages.unmatched_hint} {hasSame(query.data.data) && compilerMessages.unmatched_same}
          </p>
          <CardTable
            label="SKUs not in the master"
            rows={query.data.data}
            keyOf={({ sku }) => sku}
            columns={[
              { label: 'SKU', cell: ({ sku }) => sku },
              { label: 'Sources', cell: ({ sources }) => sources.map(({ name }) => name).join(', ') },
              {
                label: 'Map to',
                place: 'wide',
                cell: (unmatched) => <Mapping config_id={config.id} unmatched={unmatched} />,
              },
            ]}
          />
          {total > query.data.limit && <Pager page={page} total={total} things="SKUs" onTurn={setPage} />}
        </>
      )}
    </section>
  )
}

const hasSame = (unmatched: readonly UnmatchedSku[]) =>
  unmatched.some(
    ({ sources, candidates }) =>
      sources.every(({ mapped_to }) => mapped_to === null) && candidates.some(({ same }) => same),
  )

function Mapping({ config_id, unmatched }: { config_id: number; unmatched: UnmatchedSku }) {
  const { sku, sources, candidates } = unmatched
  const client = useQueryClient()
  const map = useMutation({
    mutationFn: (master_sku: string | null) =>
      mapSku(config_id, sku, { sources: sources.map(({ source_task_id }) => source_task_id), master_sku }),
    onSuccess: (_, master_sku) =>
      toast.success(
        master_sku === null ? compilerMessages.unmapped(sku) : compilerMessages.mapped(sku, master_sku),
      ),
    onError: (error) => toast.error(reasonOf(error, compilerMessages.map_failed)),
    onSettled: () =>
      Promise.all(
        [compilerRecords.unmatched.path, compilerRecords.skuMappings.path].map((path) =>
          client.invalidateQueries({ queryKey: [path, config_id] }),
        ),
      ),
  })
  const taken = sources.find(({ mapped_to }) => mapped_to !== null)?.mapped_to ?? null
  if (taken === null && candidates.length === 0) return compilerMessages.no_candidates
  return (
    <span className={classes.candidates}>
      <CandidateButtons
        name={sku}
        taken={taken}
        candidates={candidates.map((candidate) => ({ name: candidate.sku, same: candidate.same }))}
        busy={map.isPending}
        onTake={map.mutate}
      />
    </span>
  )
}

import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { type ColumnSource, compilerColumns, type LoneColumn } from '../../../../contract/compiler/columns.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import sections from '../../../tasks/history/page-section.module.css'
import { CardTable } from '../../../ui/card-table.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configsQuery, loneColumnsQuery } from '../api.ts'
import { Pager } from '../records/pager.tsx'
import { CandidateButtons } from './candidate-buttons.tsx'
import classes from './quality.module.css'

/** Columns that only one source has; a button reads each as a field of the other sources. */
export function LoneColumnsSection({ config }: { config: CompilerConfig }) {
  const [page, setPage] = useState(1)
  const { data, isError, isPending, refetch } = useQuery(loneColumnsQuery(config.id, page))
  const sources = new Map(data?.sources.map((source) => [source.source_task_id, source]))
  const without = data?.sources.filter(({ has_sku }) => !has_sku).map(({ name }) => name) ?? []
  return (
    <section className={sections.section} aria-labelledby="lone-columns">
      <h2 id="lone-columns">Columns in only one source</h2>
      {isError && <LoadError message={compilerMessages.lone_columns_failed} onRetry={() => refetch()} />}
      {isPending && <LoadingRows rows={3} label="Loading the columns" />}
      {data?.total_count === 0 && <EmptyState level={3} title={compilerMessages.no_lone_columns} />}
      {data && data.total_count > 0 && (
        <>
          <p className={classes.note}>{compilerMessages.lone_columns_hint}</p>
          {without.length > 0 && (
            <FormNotice problem={compilerMessages.no_sku_column(without)} notice={null} onLoadAgain={null} />
          )}
          <CardTable
            label="Columns in only one source"
            rows={data.data}
            keyOf={({ source_task_id, column }) => JSON.stringify([source_task_id, column])}
            columns={[
              { label: 'Column', cell: ({ column }) => column },
              { label: 'Source', cell: ({ source_task_id }) => sources.get(source_task_id)?.name },
              {
                label: 'Rename to',
                place: 'wide',
                cell: (column) => (
                  <ReadAs config={config} column={column} source={sources.get(column.source_task_id)} />
                ),
              },
            ]}
          />
          {data.total_count > data.limit && (
            <Pager page={page} total={data.total_count} things="columns" onTurn={setPage} />
          )}
        </>
      )}
    </section>
  )
}

type ReadAsProps = { config: CompilerConfig; column: LoneColumn; source: ColumnSource | undefined }

function ReadAs({ config, column: { source_task_id, column, read_as, candidates }, source }: ReadAsProps) {
  const client = useQueryClient()
  const naming = useMutation({
    mutationFn: (field: string | null) =>
      call(compilerColumns.nameColumn, {
        params: { id: config.id },
        body: { source_task_id, column, field },
      }),
    onSuccess: (_, field) =>
      toast.success(
        field === null ? compilerMessages.unnamed(column) : compilerMessages.named(column, field),
      ),
    onError: (error) => toast.error(reasonOf(error, compilerMessages.name_failed)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [compilerColumns.loneColumns.path, config.id] }),
        client.invalidateQueries(configsQuery),
      ]),
  })
  const near = candidates.map(({ field, same }) => ({ name: field, same }))
  const others = source?.fields.filter((field) => !near.some(({ name }) => name === field)) ?? []
  return (
    <span className={classes.candidates}>
      <CandidateButtons
        name={column}
        taken={read_as}
        candidates={near}
        busy={naming.isPending}
        onTake={naming.mutate}
      />
      {read_as === null && others.length > 0 && (
        <NativeSelect
          aria-label={`Read ${column} as another field`}
          size="xs"
          value=""
          data={[{ value: '', label: 'Another field…' }, ...others]}
          disabled={naming.isPending}
          onChange={({ currentTarget: { value } }) => naming.mutate(value)}
        />
      )}
    </span>
  )
}

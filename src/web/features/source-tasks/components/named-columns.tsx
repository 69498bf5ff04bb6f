import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sourceColumns } from '../../../../contract/remembered-columns/calls.ts'
import { columnMessages as messages } from '../../../../contract/remembered-columns/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import sections from '../../../tasks/history/page-section.module.css'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { of } from '../api.ts'
import { columnsQuery } from './columns-query.ts'

/** Columns of a task's source that are stored under another name; nothing if there are none. */
export function NamedColumns({ id }: { id: number }) {
  const zone = useTimeZone()
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(columnsQuery(id))
  const removal = useMutation({
    mutationFn: (column: string) =>
      call(sourceColumns.nameColumn, { ...of(id), body: { column, read_as: null } }),
    onSuccess: () => toast.success(messages.removed),
    onError: (error) => toast.error(reasonOf(error, messages.failed)),
    onSettled: () => client.invalidateQueries(columnsQuery(id)),
  })
  if (isError) return <LoadError message={messages.load_failed} onRetry={() => refetch()} />
  if (!data || data.names.length === 0) return null
  return (
    <section className={sections.section} aria-labelledby="named-columns">
      <h2 id="named-columns">{messages.names_title}</h2>
      <p>{messages.names_hint}</p>
      <CardTable
        label={messages.names_title}
        rows={data.names}
        keyOf={({ column }) => column}
        columns={[
          { label: messages.column, cell: ({ column }) => column },
          { label: messages.stored_as, cell: ({ read_as }) => read_as },
          {
            label: messages.set_by,
            cell: ({ set_by, set_at }) => `${set_by}, ${formatMoment(set_at, zone)}`,
          },
          {
            label: 'Actions',
            place: 'wide',
            cell: ({ column }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={messages.remove(column)}
                loading={removal.isPending && removal.variables === column}
                disabled={removal.isPending}
                onClick={() => removal.mutate(column)}
              >
                Remove
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}

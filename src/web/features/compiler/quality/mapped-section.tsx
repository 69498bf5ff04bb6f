import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { compilerRecords, type SkuMapping } from '../../../../contract/compiler/records.ts'
import { limits } from '../../../../contract/limits.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import sections from '../../../tasks/history/page-section.module.css'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { mappingsQuery, mapSku } from '../api.ts'
import { Pager } from '../records/pager.tsx'
import classes from './quality.module.css'

const size = limits.compiled_page_size

/** Mapped SKUs of sources, in effect or pending; a button removes a mapping. */
export function MappedSection({ config }: { config: CompilerConfig }) {
  const [wanted, setPage] = useState(1)
  const { data = [], isError, refetch } = useQuery(mappingsQuery(config.id))
  const page = Math.min(wanted, Math.max(1, Math.ceil(data.length / size)))
  if (data.length === 0 && !isError) return null
  const nameOf = ({ source_task_id }: SkuMapping) =>
    config.source_names[config.source_task_ids.indexOf(source_task_id)]
  return (
    <section className={sections.section} aria-labelledby="mapped">
      <h2 id="mapped">Mapped SKUs</h2>
      {isError && <LoadError message={compilerMessages.mappings_failed} onRetry={() => refetch()} />}
      {data.length > 0 && (
        <>
          <p className={classes.note}>{compilerMessages.mappings_hint}</p>
          <CardTable
            label="Mapped SKUs"
            rows={data.slice((page - 1) * size, page * size)}
            keyOf={({ source_task_id, sku }) => JSON.stringify([source_task_id, sku])}
            columns={[
              { label: 'SKU', cell: ({ sku }) => sku },
              { label: 'Source', cell: nameOf },
              {
                label: 'Mapped to',
                place: 'wide',
                cell: (mapping) => <Mapping config_id={config.id} mapping={mapping} />,
              },
            ]}
          />
          {data.length > size && <Pager page={page} total={data.length} things="SKUs" onTurn={setPage} />}
        </>
      )}
    </section>
  )
}

function Mapping({ config_id, mapping }: { config_id: number; mapping: SkuMapping }) {
  const { sku, master_sku, source_task_id } = mapping
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: () => mapSku(config_id, sku, { sources: [source_task_id], master_sku: null }),
    onSuccess: () => toast.success(compilerMessages.unmapped(sku)),
    onError: (error) => toast.error(reasonOf(error, compilerMessages.map_failed)),
    onSettled: () =>
      Promise.all(
        [compilerRecords.skuMappings.path, compilerRecords.unmatched.path].map((path) =>
          client.invalidateQueries({ queryKey: [path, config_id] }),
        ),
      ),
  })
  return (
    <span className={classes.candidates}>
      {master_sku}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Remove mapping: ${sku}`}
        loading={undo.isPending}
        onClick={() => undo.mutate()}
      >
        Remove
      </Button>
    </span>
  )
}

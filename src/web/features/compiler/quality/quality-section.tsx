import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import sections from '../../../tasks/history/page-section.module.css'
import { CardTable } from '../../../ui/card-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { qualityQuery } from '../api.ts'
import { recordsPath } from '../records/record-filters.ts'
import { ChecksTable } from './checks-table.tsx'
import classes from './quality.module.css'
import { QualityPicture } from './quality-picture.tsx'

const CompletenessSection = lazy(async () => ({
  default: (await import('./completeness-section.tsx')).CompletenessSection,
}))

// lazy, because it imports the number formats, which are not part of the first load
const SinceLast = lazy(async () => ({ default: (await import('./since-last.tsx')).SinceLast }))

/** Quality of a configuration's records: last compiles, fields and changes. */
export function QualitySection({ config }: { config: CompilerConfig }) {
  const query = useQuery(qualityQuery(config.id))
  const section = useRef<HTMLElement>(null)
  const isAddressed = useLocation().hash === '#quality'
  // Again once the sections above and this one have their size.
  const isLoaded = query.data !== undefined
  useEffect(() => {
    if (isAddressed && isLoaded) section.current?.scrollIntoView()
  }, [isAddressed, isLoaded])
  return (
    <section ref={section} className={sections.section} aria-labelledby="quality">
      <h2 id="quality">Quality</h2>
      {query.isError && (
        <LoadError message={compilerMessages.quality_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={4} label="Loading the quality" />}
      {query.data?.compiles.length === 0 && (
        <EmptyState
          level={3}
          title={compilerMessages.none_compiled}
          hint={compilerMessages.none_compiled_hint}
        />
      )}
      {query.data && query.data.compiles.length > 0 && (
        <Suspense fallback={<LoadingRows rows={4} label="Loading the quality" />}>
          <QualityPicture compiles={query.data.compiles} />
          <SinceLast config_id={config.id} since={query.data.since_last} />
          <CompletenessSection config_id={config.id} />
          <ChecksTable config_id={config.id} checks={query.data.checks} />
          <Fields config_id={config.id} fields={query.data.fields} />
        </Suspense>
      )}
    </section>
  )
}

type FieldsProps = { config_id: number; fields: CompilerQuality['fields'] }

const Fields = ({ config_id, fields }: FieldsProps) => (
  <>
    <h3 className={classes.heading}>Fields, and which sources fill them</h3>
    <CardTable
      label="Fields"
      rows={fields}
      keyOf={({ name }) => name}
      columns={[
        { label: 'Field', cell: ({ name }) => name },
        {
          label: 'Blank',
          place: 'end',
          cell: ({ name, blanks }) => (
            <Link className={classes.count} to={recordsPath(config_id, { blank_field: name })}>
              {formatNumber(blanks)}
            </Link>
          ),
        },
        {
          label: 'Filled by',
          cell: ({ name, filled_by }) => (
            <span className={classes.sources}>
              {filled_by.map((source) => (
                <span key={source.source_task_id}>
                  {source.name}{' '}
                  <Link
                    className={classes.count}
                    to={recordsPath(config_id, { filled_by: String(source.source_task_id), field: name })}
                  >
                    {formatNumber(source.records)}
                  </Link>
                </span>
              ))}
            </span>
          ),
        },
      ]}
    />
  </>
)

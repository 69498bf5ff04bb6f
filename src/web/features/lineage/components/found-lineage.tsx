import { Select } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Lineage } from '../../../../contract/lineage/calls.ts'
import { lineageMessages as messages } from '../../../../contract/lineage/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { type Asked, lineageQuery } from '../api.ts'
import classes from './lineage.module.css'
import { LineageSteps } from './lineage-steps.tsx'
import { LineageUses } from './lineage-uses.tsx'
import { WrittenCard } from './written-card.tsx'

type Props = { asked: Asked; onColumn: (column: string) => void }

/** A cell, where its value comes from, and where it ends up. */
export function FoundLineage({ asked, onColumn }: Props) {
  const query = useQuery(lineageQuery(asked))
  const { data, error } = query
  if (error) return <LoadError message={reasonOf(error, messages.failed)} onRetry={() => query.refetch()} />
  if (!data) return <LoadingRows rows={6} label={messages.loading} />
  return (
    <>
      <Head lineage={data} onColumn={onColumn} />
      {data.written && (
        <WrittenCard key={JSON.stringify(asked)} written={data.written} asked={asked} link={data.link} />
      )}
      {data.steps.length > 0 && <LineageSteps steps={data.steps} />}
      {(data.written === null || data.uses.length > 0) && <LineageUses lineage={data} />}
    </>
  )
}

/** The cell, and a choice of the other cells of its row. */
function Head({ lineage, onColumn }: { lineage: Lineage; onColumn: Props['onColumn'] }) {
  const { title, link, notes, row } = lineage
  return (
    <div className={classes.head}>
      <div>
        <h2 className="heading">{title}</h2>
        {notes.map((note) => (
          <p key={note} className={classes.muted}>
            {note}
          </p>
        ))}
        {link && (
          <a href={link} target="_blank" rel="noreferrer" className={classes.open}>
            {messages.open_sheet}
            <IconExternalLink size={15} aria-hidden />
          </a>
        )}
      </div>
      {row && row.columns.length > 1 && (
        <Select
          label={messages.column}
          className={classes.column}
          data={row.columns}
          value={row.column}
          allowDeselect={false}
          searchable
          onChange={(column) => column !== null && onColumn(column)}
        />
      )}
    </div>
  )
}

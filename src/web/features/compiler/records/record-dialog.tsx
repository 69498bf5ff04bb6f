import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { CompiledRecordDetail } from '../../../../contract/compiler/records.ts'
import { completenessMessages } from '../../../../contract/completeness/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { recordQuery } from '../api.ts'
import { Completeness } from './completeness.tsx'
import { cutExplanation } from './cut-text.ts'
import { LongText } from './long-text.tsx'
import classes from './record-dialog.module.css'
import { RecordFieldList } from './record-field-list.tsx'
import { RecordFlags } from './record-flags.tsx'

type Props = {
  config: CompilerConfig
  sku: string
  /** Whether its deletion is being confirmed: it is not read again meanwhile, because it may be gone. */
  isDeleting: boolean
  onDelete: () => void
  onClose: () => void
}

/** One record: completeness, explanation of its flags, and its fields with their sources. */
export function RecordDialog({ config, sku, isDeleting, onDelete, onClose }: Props) {
  const query = useQuery({ ...recordQuery(config.id, sku), enabled: !isDeleting })
  return (
    <Dialog title={`Record ${sku}`} size="xl" tall onClose={onClose}>
      <div className={classes.body}>
        {query.isError && (
          <LoadError
            message={reasonOf(query.error, compilerMessages.record_failed)}
            onRetry={() => query.refetch()}
          />
        )}
        {query.isPending && <LoadingRows label="Loading the record" />}
        {query.data && <Detail detail={query.data} />}
        <DialogFooter>
          <Button
            variant="default"
            leftSection={<IconTrash size={17} aria-hidden />}
            disabled={!query.data}
            onClick={onDelete}
          >
            Delete
          </Button>
          <Button onClick={onClose}>Close</Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function Detail({ detail }: { detail: CompiledRecordDetail }) {
  const { record, completeness, targets, fields, flags, sources_gone } = detail
  const zone = useTimeZone()
  return (
    <>
      <div className={classes.head}>
        <RecordFlags record={record} />
        <span>{formatCount(record.source_count, 'source')}</span>
        <span>First compiled {formatMoment(record.created_at, zone)}</span>
        <span>Updated {formatMoment(record.updated_at, zone)}</span>
      </div>
      <Completeness {...completeness} />
      {targets.length > 0 && (
        <ul className={classes.flags} aria-label={completenessMessages.title}>
          {targets.map(({ task_id, name, missing }) => (
            <li key={task_id}>
              {missing.length === 0
                ? completenessMessages.complete_for(name)
                : completenessMessages.lacks(name, missing)}
            </li>
          ))}
        </ul>
      )}
      {flags.length > 0 && (
        <ul className={classes.flags} aria-label="What the flags mean">
          {flags.map(({ flag, explanation }) => (
            <li key={flag}>
              <LongText text={explanation} cut={cutExplanation(explanation)} />
            </li>
          ))}
        </ul>
      )}
      {sources_gone.length > 0 && (
        <p className={classes.note}>{compilerMessages.sources_gone(sources_gone.map(({ name }) => name))}</p>
      )}
      <RecordFieldList
        fields={fields}
        record={{ compiler_config_id: record.compiler_config_id, sku: record.sku }}
      />
    </>
  )
}

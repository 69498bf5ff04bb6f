// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard

import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerPreview } from '../../../../contract/compiler/preview.ts'
import example from '../../../ui/example-table.module.css'
import { cutText } from '../records/cut-text.ts'
import { fieldText } from '../records/record-fields.ts'
import { RecordFlags } from '../records/record-flags.tsx'
import classes from './preview.module.css'

/** First records of a preview; a value that is not from the master shows its source. */
export function PreviewTable({
  preview: { fields, records, filled_by, sources },
}: {
  preview: CompilerPreview
}) {
  const [master] = sources
  const names = new Map(sources.slice(1).map(({ source_task_id, name }) => [source_task_id, name]))
  return (
    <>
      <p className={classes.hint}>{compilerMessages.preview_records(records.length, master?.name ?? '')}</p>
      <section className={`${example.frame} ${classes.frame}`} tabIndex={0} aria-label="First records">
        <table className={`${example.table} ${classes.table}`} aria-label="First records">
          <thead>
            <tr>
              <th scope="col">SKU</th>
              <th scope="col">Quality</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {field}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record, n) => (
              <tr key={record.sku}>
                <th scope="row">{cutText(record.sku)}</th>
                <td>
                  <RecordFlags record={record} />
                </td>
                {fields.map((field, place) => (
                  <td key={field}>
                    <Value text={fieldText(record, field)} source={names.get(filled_by[n]?.[place] ?? 0)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Value({ text, source }: { text: string; source: string | undefined }) {
  if (text === '') return <span className={classes.blank}>blank</span>
  return (
    <>
      <span title={text.length > 40 ? text : undefined}>{cutText(text)}</span>
      {source !== undefined && <small>{source}</small>}
    </>
  )
}

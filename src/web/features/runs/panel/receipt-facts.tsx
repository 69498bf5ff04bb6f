import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { type Receipt, tabsText } from '../../../../contract/runs/receipts.ts'
import { formatElapsed, formatNumber } from '../../../lib/format.ts'
import { CopiedTabs } from '../../../tasks/history/copied-tabs.tsx'
import classes from './run-panel.module.css'

const modes = {
  unchanged: 'Nothing differed, nothing written',
  small: 'One request with the changed cells',
  staged: 'Through a staging tab',
  in_place: 'In place',
  preview: 'A preview, nothing written',
} as const

const TABS = 'All tabs in one step where they fit one request, else one after the other'

type Fact = readonly [label: string, value: string]

const count = (label: string, value: number): Fact => [label, formatNumber(value)]

function factsOf(receipt: Receipt): Fact[] {
  const took: Fact = ['Duration', formatElapsed(receipt.duration_ms / 1000)]
  if ('cells_changed' in receipt)
    return [
      count('Rows', receipt.rows),
      count('Columns', receipt.columns),
      count(receipt.mode === 'preview' ? 'Cells that would change' : 'Cells changed', receipt.cells_changed),
      ...(receipt.tabs ? [['Tabs', tabsText(receipt.tabs)] as const] : []),
      ['Write mode', receipt.tabs && receipt.mode !== 'unchanged' ? TABS : modes[receipt.mode]],
      ['Requests', `${formatNumber(receipt.reads)} reads, ${formatNumber(receipt.writes)} writes`],
      took,
      ['Google account', receipt.account || '–'],
      ['Checksum of the source', receipt.source_hash.slice(0, 12)],
      [receipt.tabs ? 'Checksum of all tabs' : 'Checksum of the target', receipt.target_hash.slice(0, 12)],
    ]
  if ('is_changed' in receipt)
    return [
      count('Rows', receipt.rows),
      count('Columns', receipt.columns),
      ['Rows differ from the last run', receipt.is_changed ? 'Yes' : 'No'],
      count('Requests', receipt.requests),
      took,
      ['Google account', receipt.account || '–'],
      ['Checksum', receipt.hash.slice(0, 12)],
    ]
  return [
    count('Records', receipt.records),
    count('Fields', receipt.fields),
    ['Read', `${formatNumber(receipt.rows_read)} rows of ${formatNumber(receipt.sources)} sources`],
    [
      'Records added, changed, gone',
      [receipt.added, receipt.changed, receipt.gone].map(formatNumber).join(', '),
    ],
    [
      'With blanks, errors, duplicates',
      [receipt.blanks, receipt.errors, receipt.duplicates].map(formatNumber).join(', '),
    ],
    took,
  ]
}

/** What a run left behind: the proof of what it did. */
export function ReceiptFacts({ run: { receipt } }: { run: ListedRun }) {
  if (receipt === null) return <p className={classes.more}>{messages.no_receipt}</p>
  return (
    <>
      <dl className={classes.receipt}>
        {factsOf(receipt).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {'tabs' in receipt && receipt.tabs && <CopiedTabs tabs={receipt.tabs} />}
    </>
  )
}

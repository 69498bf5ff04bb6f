import type { RowSample } from './row-sample.ts'

type Counted = Pick<RowSample, 'passed' | 'rows' | 'is_count_partial' | 'sources'>

const ofSources = (sources: number) => (sources > 1 ? ` of ${sources} sources` : '')

const rowsText = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`

/** Texts of the fields that choose rows and columns. */
export const rowMessages = {
  title: 'Rows and columns',
  whole: 'all, as they are',
  columns_hint: 'All columns keep the names and order of the source. Chosen ones can be renamed and moved.',
  columns_later: 'The columns appear when the source is chosen.',
  filter_hint:
    'Text ignores upper and lower case. “Less than”, “more than” and the like hold for numbers only: a number that is written as text is text.',
  order_hint: 'The filter comes first, then the order, then the maximum.',
  extra_hint: 'Columns that the source does not have, behind its columns.',
  number_as_text: (column: string, example: string) =>
    `Some numbers of ‘${column}’ are written as text, such as ‘${example}’. They count as text.`,
  counted: ({ passed, rows, is_count_partial, sources }: Counted) =>
    `${passed.toLocaleString('en')} of ${is_count_partial ? `the first ${rowsText(rows)}` : rowsText(rows)}${ofSources(sources)} are copied`,
  all_counted: ({ rows, is_count_partial, sources }: Counted) =>
    is_count_partial
      ? `More than ${rowsText(rows)}${ofSources(sources)} are copied`
      : `${rowsText(rows)}${ofSources(sources)} ${rows === 1 ? 'is' : 'are'} copied`,
  limited: (max: number) => `, at most ${max.toLocaleString('en')}`,
  mend: 'Correct the marked settings.',
  sampling: 'Reading the source…',
  sample_failed: 'The source cannot be read now.',
  no_rows: 'No row',
} as const

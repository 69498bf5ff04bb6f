import type { Paging } from '../../../../contract/connections/calls.ts'

/** Labels of paging styles. */
export const pagingStyles: Record<Paging['style'], string> = {
  none: 'All rows in one reply',
  page: 'By page number',
  offset: 'By the number of rows to skip',
  cursor: 'By a cursor in the reply',
  next_url: 'By an address in the reply',
  link: 'By the Link header',
}

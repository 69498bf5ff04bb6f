import type { Lineage } from '../../src/contract/lineage/calls.ts'
import { enter, heading, problem, type State, withAnswers } from './screen-states.ts'

const at = '2026-11-27T06:00:00.000Z'
const link = 'https://docs.google.com/spreadsheets/d/x/edit#gid=0&range=C2'

const cell: Lineage = {
  title: 'C2 of ‘Articles’ in ‘Web shop’',
  link,
  notes: ['The link is to C2:C9; this is its first cell, C2.'],
  written: {
    task: { category: 'sync', id: 1, name: 'Shop articles' },
    state: 'value',
    text: '‘Shop articles’ writes this cell, column ‘Price’.',
    column: 'Price',
    value: 3.25,
    value_text: '3.25',
    number_format: null,
    run: { id: 7, at },
    since: { run_id: 5, at, is_exact: true, former: 3, former_text: '3' },
    edited: null,
  },
  steps: [
    {
      kind: 'record',
      text: '‘Web catalogue’ compiled it.',
      task: { category: 'compiler', id: 3, name: 'Web catalogue' },
      run: { id: 6, at },
      place: { kind: 'records', text: '‘Price’ of record B-100 in ‘Web catalogue’', row: 1, link: null },
      record: {
        sku: 'B-100',
        field: 'Price',
        rule: 'The first source with a value, in the order ‘Master catalogue’, ‘Supplier prices’.',
        sources: [
          {
            task_id: 8,
            name: 'Master catalogue',
            state: 'blank',
            value: null,
            value_text: '',
            number_format: null,
            place: { kind: 'sheet', text: 'C2 of ‘Products’ in ‘Catalogue’', row: 2, link },
          },
          {
            task_id: 9,
            name: 'Supplier prices',
            state: 'chosen',
            value: 3.25,
            value_text: '3.25',
            number_format: null,
            place: {
              kind: 'api',
              text: '‘price’ of item 12 in the reply of ‘Shop API’',
              row: 12,
              link: null,
            },
          },
          {
            task_id: 10,
            name: 'Old',
            state: 'no_row',
            value: null,
            value_text: '',
            number_format: null,
            place: null,
          },
        ],
      },
      notes: [],
    },
    {
      kind: 'rows',
      text: 'The rows of ‘Supplier prices’ that it came from are no longer stored.',
      task: { category: 'source', id: 9, name: 'Supplier prices' },
      run: null,
      place: { kind: 'api', text: '‘price’ of item 12 in the reply of ‘Shop API’', row: 12, link: null },
      record: null,
      notes: ['Which version of the records was copied is not known until the next run.'],
    },
  ],
  uses: [],
  has_more_uses: false,
  row: { columns: ['SKU', 'Name', 'Price'], column: 'Price' },
}

const source: Lineage = {
  ...cell,
  title: 'B2 of ‘Prices’ in ‘Supplier price list’',
  notes: [],
  written: null,
  steps: [],
  uses: [
    {
      kind: 'record',
      text: '‘Price’ of record B-100 in ‘Web catalogue’: this cell fills it',
      task: { category: 'compiler', id: 3, name: 'Web catalogue' },
      record: { sku: 'B-100', field: 'Price' },
      link: null,
    },
    {
      kind: 'target',
      text: 'C2 of ‘Articles’ in ‘Web shop’',
      task: { category: 'sync', id: 1, name: 'Shop articles' },
      record: null,
      link,
    },
  ],
  has_more_uses: true,
}

const PATH = `/lineage?link=${encodeURIComponent(link)}`

/** The states of the page that says where a cell comes from. */
export const lineageScreens: Record<string, Record<string, State>> = {
  '/lineage': {
    'no cell': async (page) => {
      await enter(page, '/lineage')
      return heading(page, 'Paste the link to a cell')
    },
    'a cell of a target': async (page) => {
      await withAnswers(page, PATH, { '**/api/lineage?*': cell })
      return heading(page, cell.title)
    },
    'edited since': async (page) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const edited = { is_edited: true, text: 'The cell was edited since: it holds “4” now.' }
      const json = { ...cell, written: { ...cell.written, edited } }
      await page.route('**/api/lineage?*', (route) => route.fulfill({ json }))
      await page.getByRole('button', { name: 'Check whether it was edited' }).click()
      return page.getByText('it holds “4” now', { exact: false })
    },
    'a cell that the task does not write': async (page) => {
      const text = 'This column is not one of ‘Shop articles’, which writes columns A to E.'
      const written = { ...cell.written, state: 'outside', text, value: null, since: null }
      await withAnswers(page, PATH, { '**/api/lineage?*': { ...cell, written, steps: [], row: null } })
      return page.getByText(text)
    },
    'a cell of a source': async (page) => {
      await withAnswers(page, PATH, { '**/api/lineage?*': source })
      return heading(page, 'Where it ends up')
    },
    'failed to load': async (page) => {
      await withAnswers(page, PATH, { '**/api/lineage?*': null })
      return problem(page)
    },
  },
}

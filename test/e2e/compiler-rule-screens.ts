import { answers, at, changedOverride, sources } from './compiler-answers.ts'
import { button, enter, heading, inDialog, problem, type State, withAnswers } from './screen-states.ts'

const decision = {
  ...{ id: 5, field: 'Colour', texts: ['Black', 'blk'], text: 'Black', source: null },
  sentence: 'Colour: “Black” where sources have “Black”, “blk”',
  ...{ reason: 'House style', author: 'ada@example.com', created_at: at, batch: 2 },
  ...{ ended_at: null, end_reason: null, ended_by: null, records: 1204 },
}
const disagreement = {
  ...{ id: 9, field: 'Colour', records: 1204, skus: ['A-1', 'A-2', 'A-3'], group: null, decision: null },
  options: [
    { text: 'blk', sources: [sources[0]], wins: 1204 },
    { text: 'Black', sources: [sources[1]], wins: 0 },
  ],
}
const paged = (data: object[]) => ({
  ...{ data, total_count: data.length, limit: 20, offset: 0, has_next: false, has_prev: false },
})
const decisionPages = (data: object[]) => ({
  '**/api/compiler/configs/1/disagreements?*': {
    ...paged(data),
    counts: { open: data.length, decided: 1, rules: 1 },
    ...{ fields: ['Colour'], sources },
  },
  '**/api/compiler/configs/1/disputes?*': paged([
    { field: 'Colour', sources, records: 2048, unlisted: 12, decision: null },
  ]),
  '**/api/compiler/configs/1/decisions?*': { ...paged([decision]), fields: ['Colour'] },
})

const overridePage = (data: object[]) => ({
  '**/api/compiler/configs/1/overrides?*': {
    data,
    ...{ total_count: data.length, limit: 20, offset: 0, has_next: false, has_prev: false },
    counts: { active: 0, review: data.length, waiting: 0, ended: 0 },
    ...{ fields: ['Price'], authors: ['ada@example.com'] },
  },
})

/** States of the screens of decisions and overrides, by route path. */
export const compilerRuleScreens: Record<string, Record<string, State>> = {
  '/compiler/:id/decisions': {
    'nothing to decide': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/compiler/1/decisions', { ...answers, ...decisionPages([]) })
      return heading(page, 'Nothing to decide')
    },
    'disagreements that cannot be read': async (page) => {
      await withAnswers(page, '/compiler/1/decisions', {
        ...answers,
        '**/api/compiler/configs/1/disagreements?*': null,
      })
      return problem(page)
    },
    disagreements: async (page) => {
      const decided = { ...disagreement, id: 10, decision }
      const grouped = { ...disagreement, id: 11, group: ['Size'] }
      await withAnswers(page, '/compiler/1/decisions', {
        ...answers,
        ...decisionPages([disagreement, decided, grouped]),
      })
      return page.getByRole('table', { name: 'Decisions' })
    },
    'decision about all that match': async (page) => {
      await button(page, 'Decide all 3 that match').click()
      return inDialog(page, 'Decide')
    },
    'sources that disagree': async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('tab', { name: 'By source' }).click()
      return button(page, 'Always prefer Supplier for Colour')
    },
    rules: async (page) => {
      await page.getByRole('tab', { name: 'Rules' }).click()
      return page.getByRole('table', { name: 'Rules' })
    },
  },
  '/compiler/:id/overrides': {
    'no override yet': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/compiler/1/overrides', { ...answers, ...overridePage([]) })
      return heading(page, 'No override yet')
    },
    'overrides that cannot be read': async (page) => {
      await withAnswers(page, '/compiler/1/overrides', {
        ...answers,
        '**/api/compiler/configs/1/overrides?*': null,
      })
      return problem(page)
    },
    overrides: async (page) => {
      await withAnswers(page, '/compiler/1/overrides', { ...answers, ...overridePage([changedOverride]) })
      return page.getByRole('table', { name: 'Overrides' })
    },
    'import of overrides': async (page) => {
      await button(page, 'Import CSV').click()
      return inDialog(page, 'Cancel')
    },
  },
}

import { heading, type State } from './screen-states.ts'

/** The states of the pages that help. */
export const helpScreens: Record<string, Record<string, State>> = {
  '/help/:name': {
    'the user guide': async (page) => {
      await page.goto('/help/user-guide')
      return heading(page, 'User guide')
    },
    'a section': async (page) => {
      await page.goto('/help/operations#what-an-alert-means')
      return heading(page, 'What an alert means')
    },
    // From another document: within one, only the part behind # would change, and nothing be loaded.
    'an address that names no section': async (page) => {
      await page.goto('/help/user-guide#%')
      return heading(page, 'User guide')
    },
  },
}

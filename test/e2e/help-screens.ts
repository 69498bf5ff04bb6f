import { heading, type State } from './screen-states.ts'

/** States of the help pages. */
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
    // Start from another document: within the same one only the fragment would change, without loading the page.
    'an address that names no section': async (page) => {
      await page.goto('/help/user-guide#%')
      return heading(page, 'User guide')
    },
  },
}

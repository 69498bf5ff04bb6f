import { tokens } from '../../src/contract/tokens/calls.ts'
import { tokenMessages } from '../../src/contract/tokens/client-messages.ts'
import { send } from './as-ada.ts'
import { button, enter, heading, inDialog, problem, type State, withAnswers } from './screen-states.ts'

/** States of the tokens screen. */
export const tokenScreens: Record<string, Record<string, State>> = {
  '/tokens': {
    'no tokens': async (page) => {
      await enter(page, '/tokens')
      return heading(page, tokenMessages.none_yet)
    },
    'new token': async (page) => {
      await button(page, tokenMessages.make).click()
      return page.getByRole('dialog').getByLabel('Name')
    },
    'a token, shown once': async (page) => {
      await page.getByRole('dialog').getByLabel('Name').fill('Axe')
      await inDialog(page, 'Create token').click()
      return page.getByRole('table', { name: tokenMessages.title })
    },
    'an expired one': async (page) => {
      const [token] = tokens.list.reply.parse(await send(page, 'GET', '/api/tokens'))
      await withAnswers(page, '/tokens', { '**/api/tokens': [{ ...token, is_expired: true }] })
      return page.getByText(tokenMessages.expired)
    },
    'revoke dialog': async (page) => {
      await button(page, 'Revoke Axe').click()
      return page.getByRole('dialog')
    },
    failed: async (page) => {
      await withAnswers(page, '/tokens', { '**/api/tokens': null })
      return problem(page)
    },
  },
}

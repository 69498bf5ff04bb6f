import { alarmMessages } from '../../src/contract/alarms/client-messages.ts'
import { button, enter, inDialog, type State, withAnswers } from './screen-states.ts'

const webhook = {
  id: 1,
  name: 'Operations',
  format: 'slack',
  host: 'hooks.slack.com',
  kinds: ['failed', 'worker'],
  categories: [],
  task_type_ids: [],
  tells_end: true,
  quiet_from: null,
  quiet_to: null,
  is_active: true,
  is_signed: false,
  last_sent_at: '2026-01-31T04:00:00.000Z',
  last_error: null,
  updated_at: '2026-01-31T04:00:00.000Z',
}

/** States of the alarms section on the settings screen. */
export const alarmStates: Record<string, State> = {
  'webhook dialog with errors': async (page) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await enter(page, '/settings')
    await button(page, alarmMessages.add).click()
    await inDialog(page, 'Save').click()
    return page.getByText(alarmMessages.address_invalid)
  },
  'webhooks that were told, were not, and are not': async (page) => {
    const others = [
      { ...webhook, id: 2, name: 'Broken', last_error: alarmMessages.refused(500) },
      { ...webhook, id: 3, name: 'Old', is_active: false },
    ]
    await withAnswers(page, '/settings', { '**/api/webhooks': [webhook, ...others] })
    return page.getByText(alarmMessages.refused(500))
  },
  'webhook deletion': async (page) => {
    await button(page, 'Delete Operations').click()
    return page.getByRole('dialog')
  },
}

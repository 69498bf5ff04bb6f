import { expect, test } from 'vitest'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { createBody, formErrors, updateBody, valuesOf } from './webhook-form.ts'

const filled = { ...valuesOf(null), name: 'Chat', url: 'https://hooks.slack.com/services/T0/B0/x' }

test('a new webhook requires a name, an address and an alarm; quiet hours require both ends', () => {
  expect(formErrors(filled, true)).toEqual({})
  expect(Object.keys(formErrors({ ...filled, name: '', url: '', kinds: [] }, true)).toSorted()).toEqual([
    'kinds',
    'name',
    'url',
  ])
  expect(formErrors({ ...filled, quiet_from: '22:00' }, true).quiet_from).toBe(messages.quiet_both)
  expect(formErrors({ ...filled, quiet_from: '22', quiet_to: '6' }, true)).toHaveProperty('quiet_to')
  expect(formErrors({ ...filled, signing_key: 'short' }, true)).toEqual({ signing_key: messages.key_short })
})

test('blank fields are sent as null; a blank address keeps the stored one', () => {
  expect(createBody({ ...filled, task_type_ids: ['7'] })).toMatchObject({
    signing_key: null,
    quiet_from: null,
    task_type_ids: [7],
  })
  const moment = '2026-01-31T04:00:00.000Z'
  expect(formErrors({ ...filled, url: '' }, false)).toEqual({})
  expect(updateBody({ ...filled, url: '' }, moment)).toMatchObject({ url: null, updated_at: moment })
})

test('mail requires a mail address, and other formats reject it', () => {
  const mail = { ...filled, format: 'mail' as const }
  expect(formErrors(mail, true)).toEqual({ url: messages.address_invalid })
  expect(formErrors({ ...mail, url: 'ops@example.com' }, true)).toEqual({})
  expect(formErrors({ ...filled, url: 'ops@example.com' }, true)).toEqual({ url: messages.address_invalid })
})

import { expect, test } from 'vitest'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { createBody, faultsOf, updateBody, valuesOf } from './webhook-form.ts'

const filled = { ...valuesOf(null), name: 'Chat', url: 'https://hooks.slack.com/services/T0/B0/x' }

test('a new webhook needs a name, an address and something to tell; quiet hours have two ends', () => {
  expect(faultsOf(filled, true)).toEqual({})
  expect(Object.keys(faultsOf({ ...filled, name: '', url: '', kinds: [] }, true)).toSorted()).toEqual([
    'kinds',
    'name',
    'url',
  ])
  expect(faultsOf({ ...filled, quiet_from: '22:00' }, true).quiet_from).toBe(messages.quiet_both)
  expect(faultsOf({ ...filled, quiet_from: '22', quiet_to: '6' }, true)).toHaveProperty('quiet_to')
  expect(faultsOf({ ...filled, signing_key: 'short' }, true)).toEqual({ signing_key: messages.key_short })
})

test('blanks are sent as null, and an address that is left blank stays', () => {
  expect(createBody({ ...filled, task_type_ids: ['7'] })).toMatchObject({
    signing_key: null,
    quiet_from: null,
    task_type_ids: [7],
  })
  const moment = '2026-01-31T04:00:00.000Z'
  expect(faultsOf({ ...filled, url: '' }, false)).toEqual({})
  expect(updateBody({ ...filled, url: '' }, moment)).toMatchObject({ url: null, updated_at: moment })
})

test('what goes by mail needs an address by mail, and no other receiver takes one', () => {
  const mail = { ...filled, format: 'mail' as const }
  expect(faultsOf(mail, true)).toEqual({ url: messages.address_invalid })
  expect(faultsOf({ ...mail, url: 'ops@example.com' }, true)).toEqual({})
  expect(faultsOf({ ...filled, url: 'ops@example.com' }, true)).toEqual({ url: messages.address_invalid })
})

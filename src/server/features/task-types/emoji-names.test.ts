import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { SYNC } from '../../../../test/fixtures/task-types.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'

let ada: SignedIn

beforeAll(async () => {
  ada = await (await testApp()).signIn()
})

test.each(['Family 👨‍👩‍👧‍👦', 'Flags 🏳️‍🌈 🏴‍☠️', 'Hair 👩‍🦰', 'Skin 👩🏽‍💻', 'Broken chain ⛓️‍💥'])(
  'a name may have joined emoji: %s',
  async (name) => {
    const reply = await ada.request('POST', SYNC, { name })
    expect(reply.json()).toMatchObject({ name })
  },
)

test.each([
  ['a joiner between letters', 'Pri\u200dces'],
  ['a joiner at the end of an emoji', 'Prices 👩\u200d'],
  ['a joiner before an emoji', 'Prices \u200d👩'],
  ['two joiners', '👩\u200d\u200d👩'],
  ['a zero-width space between emoji', '👩\u200b👩'],
  ['a zero-width non-joiner', '👩\u200c👩'],
])('a name with %s is refused', async (_, name) => {
  const reply = await ada.request('POST', SYNC, { name })
  expect([reply.statusCode, reply.json().message]).toEqual([400, fieldMessages.name_invisible])
})

import { expect, test } from 'vitest'
import { exampleState } from '../../../../test/fixtures/example-task.ts'
import type { LiveEvent } from '../../../contract/events/calls.ts'
import { Mailbox } from './queries/mailbox.ts'

const state = (id: number, retry_count = 0) => exampleState({ id, state: 'running', retry_count })

const line = (id: number) => ({
  task_id: 1,
  entry: { id, level: 'INFO' as const, message: '', timestamp: '', formatted_timestamp: '', run_id: null },
})

/** Everything that waits in the mailbox. */
async function taken(mailbox: Mailbox): Promise<LiveEvent[]> {
  const stop = new AbortController()
  const events: LiveEvent[] = []
  const marker = state(-1)
  mailbox.put({ states: [marker], entries: [], list: false })
  mailbox.put({ states: [], entries: [line(-1)], list: false })
  for await (const event of mailbox.events(stop.signal)) {
    if (event.type === 'log' && event.entry.id === -1) stop.abort()
    else events.push(event)
  }
  return events.map((event) =>
    event.type === 'status' ? { ...event, tasks: event.tasks.filter(({ id }) => id !== marker.id) } : event,
  )
}

test('a slow reader gets only the latest state of each task', async () => {
  const mailbox = new Mailbox()
  for (let n = 0; n < 1000; n += 1)
    mailbox.put({ states: [state(1, n), state(2, n)], entries: [], list: false })
  expect(await taken(mailbox)).toEqual([{ type: 'status', tasks: [state(1, 999), state(2, 999)] }])
})

test('a slow reader gets each log line, or beyond 1,000 a request to reload the list', async () => {
  const mailbox = new Mailbox()
  mailbox.put({ states: [], entries: Array.from({ length: 900 }, (_, n) => line(n)), list: false })
  expect((await taken(mailbox)).filter(({ type }) => type === 'log')).toHaveLength(900)

  for (let n = 0; n < 5; n += 1)
    mailbox.put({ states: [], entries: Array.from({ length: 300 }, (_, k) => line(k)), list: false })
  const types = (await taken(mailbox)).map(({ type }) => type)
  expect(types.filter((type) => type === 'tasks')).toHaveLength(1)
  expect(types.filter((type) => type === 'log').length).toBeLessThan(1000)
})

test('states are sent in events of 500, after a changed list', async () => {
  const mailbox = new Mailbox()
  mailbox.put({ states: Array.from({ length: 1200 }, (_, n) => state(n)), entries: [], list: true })
  const events = await taken(mailbox)
  expect(events.map((event) => (event.type === 'status' ? event.tasks.length : event.type))).toEqual([
    'tasks',
    500,
    500,
    200,
  ])
})

test('the events end with the signal, also while nothing comes', async () => {
  const stop = new AbortController()
  const events = new Mailbox().events(stop.signal)
  const next = events.next()
  stop.abort()
  expect(await next).toEqual({ value: undefined, done: true })
})

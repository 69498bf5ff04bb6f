import { expect } from 'vitest'
import { LiveEvent, type StreamOf } from '../src/contract/events.ts'
import type { SignedIn } from './app.ts'

/** Streams of events of a server at `root`, as the pages of a person follow them; all end with `hangUp`. */
export function streamsOf(root: string, { headers }: SignedIn) {
  const open = new Set<AbortController>()
  const connect = (query = '') => {
    const controller = new AbortController()
    open.add(controller)
    const reply = fetch(`${root}/api/events${query}`, { headers, signal: controller.signal })
    return { reply, controller }
  }
  return {
    connect,
    /** The events of a stream as they come; ends with the stream. */
    async *stream(of: StreamOf = 'tasks'): AsyncGenerator<LiveEvent, void> {
      const reply = await connect(`?of=${of}`).reply
      expect(reply.headers.get('content-type')).toMatch('text/event-stream')
      let text = ''
      for await (const bytes of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (text + bytes).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = block.split('\n').find((line) => line.startsWith('data: '))
          if (data) yield LiveEvent.parse(JSON.parse(data.slice('data: '.length)))
        }
      }
    },
    hangUp() {
      for (const controller of open) controller.abort()
      open.clear()
    },
  }
}

/** Reads on until an event answers the question, and returns what it answers. */
export async function until<T>(
  events: AsyncGenerator<LiveEvent, void>,
  find: (event: LiveEvent) => T | undefined,
): Promise<T> {
  for (;;) {
    const { value, done } = await events.next()
    if (done || !value) throw new Error('The stream ended')
    const found = find(value)
    if (found !== undefined) return found
  }
}

/** The state that an event tells of a sync task; one that never ran has none, which is an answer, too. */
export const statusOf = (id: number) => (event: LiveEvent) => {
  const task = event.type === 'status' ? event.tasks.find((one) => one.id === id) : undefined
  return task && (task.state ?? 'never ran')
}

import { afterAll, afterEach } from 'vitest'

// A test that expects a message replaces the method with vi.spyOn, so messages that arrive here are unexpected.
const unexpected: string[] = []
for (const method of ['error', 'warn'] as const) {
  const original = console[method]
  const print = original.bind(console)
  console[method] = (...values: unknown[]) => {
    unexpected.push(`console.${method}: ${values.map(String).join(' ')}`)
    print(...values)
  }
  afterAll(() => {
    console[method] = original
  })
}

afterEach(() => {
  const messages = unexpected.splice(0)
  if (messages.length) throw new Error(`Unexpected output:\n${messages.join('\n')}`)
})

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const document = readFileSync('docs/reliability.md', 'utf8')
const named = [...document.matchAll(/`(\S+\.test\.ts)` › ([^;|]+)/g)].map(([, path = '', title = '']) => ({
  path: path.startsWith('test/') ? path : `src/server/${path}`,
  title: title.trim(),
}))

test('every fault has its test', () => {
  const faults = document.split('\n').filter((line) => /^\| \d/.test(line))
  const numbers = faults.flatMap((line) => {
    const [first = 0, last = first] = [...(line.split('|')[1] ?? '').matchAll(/\d+/g)].map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
  })
  expect(numbers).toEqual(Array.from({ length: 42 }, (_, n) => n + 1))
  for (const line of faults) expect(line).toContain('.test.ts` ›')
})

test.each(named)('$path › $title', ({ path, title }) => {
  expect(existsSync(path)).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(title)
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const DOCUMENTS = ['docs/reliability.md', 'docs/bad-input.md', 'docs/security.md']

const read = (document: string) => readFileSync(document, 'utf8')

/** Tests that a document references as `path` › part of the title. */
const namedIn = (document: string) =>
  [...read(document).matchAll(/`(\S+\.test\.ts)` › ([^;|]+)/g)].map(([, path = '', title = '']) => ({
    path: /^(test|scripts)\//.test(path) ? path : `src/server/${path}`,
    title: title.trim(),
  }))

test('every fault has its test', () => {
  const faults = read('docs/reliability.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
  const numbers = faults.flatMap((line) => {
    const [first = 0, last = first] = [...(line.split('|')[1] ?? '').matchAll(/\d+/g)].map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
  })
  expect(numbers).toEqual(Array.from({ length: 42 }, (_, n) => n + 1))
  for (const line of faults) expect(line).toContain('.test.ts` ›')
})

test('every bad input and every threat has its test', () => {
  const threats = read('docs/security.md').split('## Threats')[1]?.split('\n## ')[0] ?? ''
  const inputs = read('docs/bad-input.md')
  for (const [table, least] of [
    [threats, 15],
    [inputs, 50],
  ] as const) {
    const rows = table.split('\n').filter((line) => /^\| (?!input |threat )/.test(line))
    expect(rows.length).toBeGreaterThan(least)
    for (const row of rows) expect(row).toContain('.test.ts` ›')
  }
})

describe.each(DOCUMENTS)('%s names tests that exist', (document) => {
  test.each(namedIn(document))('$path › $title', ({ path, title }) => {
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(title)
  })
})

describe('commands and links in the documents exist', () => {
  const all = [
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
    ...readdirSync('.'),
  ].filter((name) => name.endsWith('.md'))
  const { scripts } = JSON.parse(read('package.json'))

  test.each(all)('%s', (document) => {
    const text = read(document)
    for (const [, name = ''] of text.matchAll(/npm run ([a-z]+(?::[a-z]+)?)/g))
      expect(scripts, document).toHaveProperty(name)
    const programs = text.matchAll(
      /(?:node|npm test --|npm run faults --) ((?:src|test|bench|scripts)\/[\w./-]+)/g,
    )
    for (const [, path = ''] of programs) expect(existsSync(path), path).toBe(true)
    for (const [, path = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(dirname(document), path)), path).toBe(true)
  })
})

import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const DECISIONS = 'docs/decisions'
const MAX_WORDS = 250

const records = readdirSync(DECISIONS).filter((name) => /^\d{3}-/.test(name))
const numbers = records.map((name) => name.slice(0, 3))

test.each(records)('%s states status, context, decision and consequences, briefly', (name) => {
  const text = readFileSync(join(DECISIONS, name), 'utf8')
  const parts =
    /^# (\d{3}) .+\n\nStatus: (?:accepted|superseded by \d{3}).*\n\n## Context\n(?:(?!## ).*\n)+## Decision\n(?:(?!## ).*\n)+## Consequences\n(?:(?!## ).*\n)+$/
  expect(text).toMatch(parts)
  expect(text.slice(2, 5)).toBe(name.slice(0, 3))
  expect(text.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(MAX_WORDS)
})

test('the list of decisions has each record once, under its title', () => {
  const list = readFileSync(join(DECISIONS, 'README.md'), 'utf8')
  const listed = [...list.matchAll(/^- \[(\d{3})\]\((.+)\) (.+)$/gm)].map(([, number, name, title]) => ({
    name,
    title: `${number} ${title}`,
  }))
  const kept = records.map((name) => ({
    name,
    title: /^# (.+)/.exec(readFileSync(join(DECISIONS, name), 'utf8'))?.[1],
  }))
  expect(listed.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))).toEqual(kept)
})

test('every decision that code or a document names is on record, under one number', () => {
  const files = globSync(
    [
      '{src,sandbox,scripts,test,bench,sql,deploy,docs}/**/*.{ts,tsx,mjs,css,sql,md}',
      '*.md',
      '.dependency-cruiser.cjs',
      '.env.example',
    ],
    { exclude: ['**/node_modules/**', '**/dist/**'] },
  )
  const missing = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b[Dd]ecisions?[ /](\d{3}(?:(?:, | and |, and )\d{3})*)/g)]
      .flatMap(([, cited = '']) => cited.match(/\d{3}/g) ?? [])
      .filter((number) => !numbers.includes(number))
      .map((number) => `${file}: ${number}`),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(missing).toEqual([])
  expect(numbers).toEqual([...new Set(numbers)])
})

// Work of the build, and of those who run it.
const NOT_IN_THE_REPOSITORY = /^(node_modules|dist|logs|data|test-results)\b|^\.env$/
const ENDINGS = /\.(ts|tsx|mjs|cjs|sql|css|md|yaml|service|jsonc)$/

test('every path that a document or the README of a folder names exists', () => {
  const exclude = ['**/node_modules/**', '**/dist/**', '.git/**', 'data/**']
  const all = globSync('**/*', { exclude }).map((path) => path.replaceAll('\\', '/'))
  const hidden = ['.env.example', '.dependency-cruiser.cjs']
  const files = new Set([...all, ...hidden])
  const exists = (path: string) =>
    files.has(path) || all.some((file) => file.endsWith(`/${path}`)) || all.includes(`src/server/${path}`)
  const documents = all.filter(
    (path) => /^docs\/[^/]+\.md$|(^|\/)README\.md$|^[A-Z]+\.md$/.test(path) && path !== 'CHANGELOG.md',
  )
  const named = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`([\w.@/-]+)`/g)]
      .map(([, token = '']) => token)
      .filter(
        (token) =>
          ENDINGS.test(token) || (/^[a-z][\w-]*(\/[\w-]+)*\/$/.test(token) && !token.startsWith('/')),
      )
      .filter((token) => !token.startsWith('/') && !NOT_IN_THE_REPOSITORY.test(token))
      .map((token) => ({ document, path: token.replace(/\/$/, '') })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(
    named.filter(({ document, path }) => !exists(path) && !files.has(join(dirname(document), path))),
  ).toEqual([])
})

test('the map of the code stays a page: about twenty rows, none longer than 150 characters', () => {
  const rows = readFileSync('docs/ARCHITECTURE.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  expect(rows.length).toBeLessThanOrEqual(30)
  expect(rows.filter((row) => row.length > 150)).toEqual([])
})

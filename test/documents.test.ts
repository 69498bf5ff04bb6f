import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Tables of a single category, and words that are specific to a kind of run.
const FOREIGN = /\b(sync_tasks|source_tasks|compiler_configs|sync_presets|(spread)?sheets?|tabs?|targets?)\b/i

test('the engine reads no table of a category and its messages name nothing specific to one', async () => {
  const found: string[] = []
  let files = 0
  for await (const name of glob('**/*.ts', { cwd: import.meta.dirname })) {
    if (name.endsWith('.test.ts')) continue
    files += 1
    const lines = (await readFile(join(import.meta.dirname, name), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      if (FOREIGN.test(line)) found.push(`${name}:${index + 1}: ${line.trim()}`)
  }
  expect(files).toBeGreaterThan(30)
  expect(found).toEqual([])
})

import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('every name is exported by one file of the contract', async () => {
  const filesOf = new Map<string, Set<string>>()
  for await (const path of glob('src/contract/**/*.ts')) {
    const text = await readFile(path, 'utf8')
    for (const [, name = ''] of text.matchAll(
      /^export (?:async )?(?:const|function|type|interface|class) (\w+)/gm,
    )) {
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path))
    }
  }
  expect(filesOf.size).toBeGreaterThan(100)
  expect([...filesOf].filter(([, files]) => files.size > 1)).toEqual([])
})

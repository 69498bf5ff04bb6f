import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')

test('every class that a component uses is defined in its CSS module', async () => {
  const missing = new Set<string>()
  for await (const path of glob('**/*.tsx', { cwd: web })) {
    const source = await readFile(join(web, path), 'utf8')
    for (const [, classes, file = ''] of source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const style = await readFile(join(web, dirname(path), file), 'utf8')
      for (const [, name] of source.matchAll(new RegExp(`\\b${classes}\\.(?!module\\b)(\\w+)`, 'g')))
        if (!new RegExp(`\\.${name}\\b`).test(style)) missing.add(`${path}: ${classes}.${name}`)
    }
  }
  expect([...missing]).toEqual([])
})

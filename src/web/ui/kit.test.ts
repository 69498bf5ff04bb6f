import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')
const styles = join(web, '../../node_modules/@mantine/core/styles')

test('every component of the kit that a page uses has its styles loaded', async () => {
  const loaded = await readFile(join(web, 'ui/kit.css'), 'utf8')
  const missing = new Set<string>()
  for await (const path of glob('**/*.tsx', { cwd: web })) {
    const source = await readFile(join(web, path), 'utf8')
    for (const [, names = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',').map((text) => text.trim()))
        if (existsSync(join(styles, `${name}.css`)) && !loaded.includes(`/${name}.css`)) missing.add(name)
  }
  expect([...missing]).toEqual([])
})

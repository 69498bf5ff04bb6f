import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDER = 'docs/sentences'

type Named = { row: string; path: string; title: string }

/**
 * Tests that the rows of a document reference as "file › title; another title in that file; another file". A file is given by its
 * path, by its name in the folder of the section, or by the name of a file that was referenced before.
 */
function namedIn(document: string): Named[] {
  const named: Named[] = []
  const known = new Map<string, string>()
  let folder = ''
  let is_row = false
  for (const line of readFileSync(join(FOLDER, document), 'utf8').split('\n')) {
    folder = /are in `([^`]+)\/`/.exec(line)?.[1] ?? (line.startsWith('#') ? '' : folder)
    // rows start below the line that separates the table header
    is_row = line.startsWith('|') && (is_row || line.startsWith('|-'))
    const [, row = '', tests = ''] = line.split('|')
    if (!is_row || tests.startsWith('-')) continue
    let path = ''
    for (const part of tests.replaceAll('`', '').trim().split('; ')) {
      const [first = '', ...titles] = part.split(' › ')
      if (/^[\w./-]+\.tsx?$/.test(first)) {
        path = [join(folder, first), first].find(existsSync) ?? known.get(first) ?? first
        known.set(basename(path), path)
        named.push({ row, path, title: titles.join('…') })
      } else named.push({ row, path, title: part })
    }
  }
  return named
}

describe.each(globSync('*.md', { cwd: FOLDER }))('%s', (document) => {
  const named = namedIn(document)

  test('references many tests, all in existing files', () => {
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(({ path }) => !existsSync(path))).toEqual([])
  })

  test('references existing titles, except for parts replaced by …', () => {
    const missing = named.filter(({ path, title }) => {
      const source = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : ''
      return !title.split('…').every((part) => source.includes(part.trim()))
    })
    expect(missing).toEqual([])
  })
})

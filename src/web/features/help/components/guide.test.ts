import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documents } from './documents.ts'
import { type Block, parseMarkdown, type Span } from './markdown.ts'
import { sectionOf } from './sections.ts'

const guide = parseMarkdown(documents['user-guide'].text)
const headings = (blocks: Block[]) => blocks.flatMap((block) => (block.kind === 'heading' ? block.id : []))

const spansOf = (block: Block): Span[] => {
  if ('spans' in block) return block.spans
  if (block.kind === 'list') return block.items.flat()
  return block.kind === 'table' ? [...block.head.flat(), ...block.rows.flat(2)] : []
}

test('every route has a section in the user guide', () => {
  const router = readFileSync('src/web/router.tsx', 'utf8')
  const paths = [...router.matchAll(/^\s+(?:\{ )?path: '(\/[^']*)'/gm)].map(([, path = '']) => path)
  const pages = paths.filter((path) => !path.startsWith('/help/'))
  expect(pages.length).toBeGreaterThan(20)
  for (const path of pages) expect(headings(guide)).toContain(sectionOf(path))
  // Only the home page falls back to the home section.
  expect(pages.filter((path) => sectionOf(path) === 'home')).toEqual(['/'])
})

test('labels in the user guide exist in the product', () => {
  const texts = ['src/web', 'src/contract'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  const labels = guide.flatMap(spansOf).flatMap(({ kind, text }) => (kind === 'strong' ? text : []))
  expect(labels.length).toBeGreaterThan(30)
  expect(labels.filter((word) => !texts.some((text) => text.includes(word)))).toEqual([])
})

test.each(Object.entries(documents))('images and links of %s exist', (name, { text }) => {
  const blocks = parseMarkdown(text)
  for (const block of blocks)
    if (block.kind === 'picture') expect(existsSync(join('docs', block.href)), block.href).toBe(true)
  for (const span of blocks.flatMap(spansOf)) {
    if (span.kind !== 'link' || span.href.startsWith('https://')) continue
    const [file = '', section] = span.href.split('#')
    const path = join('docs', file || `${name}.md`)
    expect(existsSync(path), span.href).toBe(true)
    if (section) expect(headings(parseMarkdown(readFileSync(path, 'utf8')))).toContain(section)
  }
})

test('a document is parsed into its blocks', () => {
  expect(
    parseMarkdown(
      '# A `b`\n\nOne **two**\nthree [four](five.md#six).\n\n1. x\n2. y\n\n```sh\nls # |\n```\n\n| | |\n|---|---|\n| a \\| b | `c` |\n\n![Home](h.png)\n',
    ),
  ).toEqual([
    {
      kind: 'heading',
      level: 1,
      id: 'a-b',
      spans: [
        { kind: 'text', text: 'A ' },
        { kind: 'code', text: 'b' },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        { kind: 'text', text: 'One ' },
        { kind: 'strong', text: 'two' },
        { kind: 'text', text: ' three ' },
        { kind: 'link', text: 'four', href: 'five.md#six' },
        { kind: 'text', text: '.' },
      ],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'x' }], [{ kind: 'text', text: 'y' }]] },
    { kind: 'code', text: 'ls # |' },
    { kind: 'table', head: [], rows: [[[{ kind: 'text', text: 'a | b' }], [{ kind: 'code', text: 'c' }]]] },
    { kind: 'picture', text: 'Home', href: 'h.png' },
  ])
})

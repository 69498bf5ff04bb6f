import { compiler } from 'markdown-to-jsx/react'
import { createElement, type Key, type ReactNode } from 'react'
import classes from './markdown.module.css'

// Elements that notes may produce, besides headings and links.
const ELEMENTS: ReadonlySet<string> = new Set([
  'div',
  'p',
  'em',
  'strong',
  'del',
  'mark',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
  'hr',
  'br',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
])

const PROTOCOLS = ['http:', 'https:', 'mailto:']

/** The address if it is absolute and of an allowed protocol; otherwise null. */
function allowedAddress(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return PROTOCOLS.includes(protocol) ? href : null
}

type Props = {
  key?: Key | null | undefined
  href?: unknown
  src?: unknown
  alt?: unknown
  checked?: unknown
  start?: unknown
}

// Nothing of the parser's output reaches the page unless it is listed here; attributes are set here only.
function element(
  tag: unknown,
  { key, href, src, alt, checked, start }: Props,
  ...children: ReactNode[]
): ReactNode {
  if (tag === 'input') return checked ? '☑ ' : '☐ '
  // Images would tell other hosts who reads the notes.
  if (tag === 'img') return link(key, src, [typeof alt === 'string' && alt !== '' ? alt : String(src ?? '')])
  if (tag === 'a') return link(key, href, children)
  const name = typeof tag === 'string' && ELEMENTS.has(tag) ? tag : 'span'
  const first = tag === 'ol' && typeof start === 'number' && Number.isSafeInteger(start) ? { start } : {}
  return createElement(name, { key, ...first }, ...children)
}

function link(key: Key | null | undefined, address: unknown, children: ReactNode[]): ReactNode {
  const href = allowedAddress(address)
  if (href === null) return createElement('span', { key }, ...children)
  return createElement('a', { key, href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children)
}

/**
 * The element of each heading in the order of the text: `#` is h3, below the h2 of the page, and no level is skipped, which screen
 * readers would report as missing.
 */
function headingNames(): (tag: unknown) => string | null {
  let last = 2
  return (tag) => {
    const level = typeof tag === 'string' ? Number(/^h([1-6])$/.exec(tag)?.[1] ?? 0) : 0
    if (level === 0) return null
    last = Math.min(level + 2, last + 1, 6)
    return `h${last}`
  }
}

/** Markdown as React elements: HTML in it is shown as text, images as links, and links lead to http, https and mailto only. */
export function Markdown({ text }: { text: string }) {
  const heading = headingNames()
  return (
    <div className={classes.markdown}>
      {compiler(text, {
        disableParsingRawHTML: true,
        disableFrontmatter: true,
        forceBlock: true,
        createElement: (tag, props, ...children) => {
          const name = heading(tag)
          return name === null
            ? element(tag, props ?? {}, ...children)
            : createElement(name, { key: props?.key }, ...children)
        },
      })}
    </div>
  )
}

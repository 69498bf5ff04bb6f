import { createElement, Fragment } from 'react'
import { isDocument, pictures } from './documents.ts'
import classes from './help.module.css'
import type { Block, Span } from './markdown.ts'

/** Blocks of a document; their indexes are stable keys. */
export function Blocks({ blocks }: { blocks: Block[] }) {
  return blocks.map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
    <Fragment key={place}>{show(block)}</Fragment>
  ))
}

function show(block: Block) {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${block.level}`, { id: block.id, tabIndex: -1 }, <Spans spans={block.spans} />)
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      )
    case 'picture':
      return <img src={pictures[block.href.replace('screenshots/', '')]} alt={block.text} loading="lazy" />
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list':
      return createElement(
        block.ordered ? 'ol' : 'ul',
        null,
        block.items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
          <li key={place}>
            <Spans spans={item} />
          </li>
        )),
      )
    case 'table':
      return <Table {...block} />
  }
}

function Table({ head, rows }: { head: Span[][]; rows: Span[][][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys
    <div className={classes.table} tabIndex={0}>
      <table>
        {head.length > 0 && (
          <thead>
            <tr>
              {head.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
                <th key={place} scope="col">
                  <Spans spans={cell} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
            <tr key={place}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
                <td key={column}>
                  <Spans spans={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Inline content with its formatting. */
export function Spans({ spans }: { spans: Span[] }) {
  return spans.map((span, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line never move
    <Fragment key={place}>{mark(span)}</Fragment>
  ))
}

function mark(span: Span) {
  if (span.kind === 'code') return <code>{span.text}</code>
  if (span.kind === 'strong') return <strong>{span.text}</strong>
  if (span.kind !== 'link') return span.text
  const href = addressOf(span.href)
  return href === null ? span.text : <a href={href}>{span.text}</a>
}

/** URL of a link in this application; null if its target exists only in the repository. */
function addressOf(href: string): string | null {
  if (href.startsWith('#') || href.startsWith('https://')) return href
  const [file = '', section] = href.split('#')
  const name = file.replace(/\.md$/, '')
  if (!isDocument(name)) return null
  return section === undefined ? `/help/${name}` : `/help/${name}#${section}`
}

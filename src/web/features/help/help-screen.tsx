import { useEffect } from 'react'
import { useLocation, useParams } from 'react-router'
import { decoded } from '../../lib/decoded.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Blocks, Spans } from './components/blocks.tsx'
import { documents, isDocument } from './components/documents.ts'
import classes from './components/help.module.css'
import { parseMarkdown } from './components/markdown.ts'

/** A document for users or operators, scrolled to the section in the URL. */
export function HelpScreen() {
  const { name = '' } = useParams()
  const { hash } = useLocation()
  useEffect(() => {
    const section = document.getElementById(decoded(hash.slice(1)))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash])
  const { title, text } = documents[isDocument(name) ? name : 'user-guide']
  // The first heading is the page title.
  const [, ...blocks] = parseMarkdown(text)
  return (
    <article className={classes.page}>
      <PageHeader title={title} />
      <nav className={classes.contents} aria-label="Contents">
        {blocks.map(
          (block) =>
            block.kind === 'heading' &&
            block.level === 2 && (
              <a key={block.id} href={`#${block.id}`}>
                <Spans spans={block.spans} />
              </a>
            ),
        )}
      </nav>
      <Blocks blocks={blocks} />
    </article>
  )
}

import { readPart } from './package-parts.ts'
import type { PartSource } from './zip-archive.ts'

/** Changes of a small part. Each function returns what is written for a token; `depth` is 0 for the outermost tag. */
export type PartChanges = {
  open?(name: string, tag: string, depth: number): string
  close?(name: string, tag: string, depth: number): string
  text?(text: string): string
}

/** A part as it is written after changes; everything else is kept as it is. Throws OriginFailure. */
export async function rewritePart(source: PartSource, changes: PartChanges): Promise<string> {
  let depth = 0
  let written = ''
  await readPart(source, {
    open(name, tag, closes) {
      written += changes.open?.(name, tag, depth) ?? tag
      if (!closes) depth += 1
    },
    text(text, isLiteral) {
      written += isLiteral ? `<![CDATA[${text}]]>` : (changes.text?.(text) ?? text)
    },
    close(name, tag) {
      depth -= 1
      written += changes.close?.(name, tag, depth) ?? tag
    },
    other(markup) {
      written += markup
    },
  })
  return written.replace(/^(<\?xml\b[^?]*encoding=["'])utf-16[^"']*/i, '$1UTF-8')
}

/** The prefix of a tag, with its colon. */
export const prefixOf = (tag: string): string => /^<\/?([^\s/>:]+:)/.exec(tag)?.[1] ?? ''

/** A tag that closes itself as two tags with something between them. */
export function filled(name: string, tag: string, content: string): string {
  return `${tag.slice(0, -2).trimEnd()}>${content}</${prefixOf(tag)}${name}>`
}

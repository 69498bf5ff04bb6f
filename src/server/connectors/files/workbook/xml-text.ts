import { XmlFault } from './xml-tokens.ts'

const ATTRIBUTE = /\s([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** An attribute of a tag, decoded; undefined if it is missing. `name` is matched as it is written, with its prefix. */
export function attribute(tag: string, name: string): string | undefined {
  const mark = ` ${name}="`
  // Programs write tags like this. What follows handles all that XML allows.
  if (!tag.includes("'") && !/[\t\n\r]| =|= /.test(tag)) {
    const at = tag.indexOf(mark)
    if (at < 0) return undefined
    const from = at + mark.length
    return decodeXml(tag.slice(from, tag.indexOf('"', from)))
  }
  for (const [, found, double, single] of tag.matchAll(ATTRIBUTE))
    if (found === name) return decodeXml(double ?? single ?? '')
  return undefined
}

/** All attributes of a tag, decoded, by their name without prefix. */
export function attributes(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE)) {
    const isNamespace = name === 'xmlns' || name.startsWith('xmlns:')
    if (!isNamespace) found.set(name.slice(name.indexOf(':') + 1), decodeXml(double ?? single ?? ''))
  }
  return found
}

/** The attribute that refers to a relationship; its prefix differs between programs. */
export function relationshipId(tag: string): string | undefined {
  for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE))
    if (name.endsWith(':id') && !name.startsWith('xmlns')) return decodeXml(double ?? single ?? '')
  return undefined
}

/** A tag with an attribute set, or without it (undefined). The others stay as they are written. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const written = value === undefined ? '' : ` ${name}="${encodeAttribute(value)}"`
  for (const match of tag.matchAll(ATTRIBUTE))
    if (match[1] === name)
      return tag.slice(0, match.index) + written + tag.slice(match.index + match[0].length)
  if (value === undefined) return tag
  const end = tag.endsWith('/>') ? -2 : -1
  return tag.slice(0, end).trimEnd() + written + tag.slice(end)
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Text with its references resolved. Throws XmlFault for unknown ones: only a document type definition could declare them. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12});?/g, (reference, name: string) => {
    const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
    const code = /^#x[0-9a-f]+$/i.test(name)
      ? Number.parseInt(name.slice(2), 16)
      : /^#\d+$/.test(name)
        ? Number(name.slice(1))
        : -1
    if (!reference.endsWith(';') || (known === undefined && (code < 0 || code > 0x10ffff)))
      throw new XmlFault('an unknown reference')
    return known ?? String.fromCodePoint(code)
  })
}

const ESCAPED = /_x([0-9a-f]{4})_/gi

/** Text of a workbook: `_x000D_` is the character with that code, `_x005F_` the underscore of a literal one. */
export const unescapeText = (text: string): string =>
  text.includes('_x') || text.includes('_X')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Text that can be stored: NUL and unpaired surrogates become U+FFFD. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

// Characters that XML cannot contain, or that a reader changes: a carriage return becomes a line feed.
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu

/** Text for a cell, escaped so that reading it gives the same text. */
export const encodeText = (text: string): string => encodeMarkup(escapeText(text))

/** The reverse of `unescapeText`. */
export function escapeText(text: string): string {
  const literal = text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
  const code = (character: string) =>
    `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  return literal.toWellFormed().replace(UNWRITABLE, code)
}

/** Text without further escapes, such as a name. */
export const encodeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The value of an attribute. */
export const encodeAttribute = (text: string): string =>
  encodeMarkup(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

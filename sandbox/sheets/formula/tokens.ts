import { type Area, areaText, parseArea, titleText } from '../ranges/a1.ts'

/** A reference in a formula. `fixed`: bounds with a `$`. */
export interface Reference {
  readonly sheet: string | null
  readonly area: Area
  readonly fixed: Fixed
}

interface Fixed {
  readonly startRow: boolean
  readonly endRow: boolean
  readonly startColumn: boolean
  readonly endColumn: boolean
}

export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'text'; readonly text: string; readonly value: string }
  | { readonly kind: 'reference'; readonly text: string; readonly reference: Reference }
  | { readonly kind: 'name' | 'operator' | 'space' | 'error'; readonly text: string }

const SHEET = String.raw`(?:(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\d_.]*)!)?`
const CELL = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d*`
const AREA = String.raw`(?:${CELL}(?::\$?[A-Za-z]{1,3}(?:\$?[1-9]\d*)?)?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?[1-9]\d*:\$?[1-9]\d*)`

const RULES: readonly (readonly [Token['kind'], RegExp])[] = [
  ['space', /\s+/y],
  ['text', /"(?:[^"]|"")*"/y],
  ['error', /#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|ERROR!)/y],
  ['reference', new RegExp(`${SHEET}${AREA}(?![\\w.(])`, 'uy')],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', /[\p{L}_][\p{L}\d_.]*/uy],
  ['operator', /<>|<=|>=|[-+*/^&=<>%(),]/y],
]

/** Tokenizes a formula without its `=`. The token texts add up to the formula; null for invalid input. */
export function tokensOf(formula: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < formula.length) {
    const token = tokenAt(formula, at)
    if (!token) return null
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

/** Formats a reference. */
export function referenceText({ sheet, area, fixed }: Reference): string {
  const [start = '', end] = areaText(area).split(':')
  const first = withDollars(start, fixed.startColumn, fixed.startRow)
  const both = end === undefined ? first : `${first}:${withDollars(end, fixed.endColumn, fixed.endRow)}`
  return sheet === null ? both : `${titleText(sheet)}!${both}`
}

function tokenAt(formula: string, at: number): Token | null {
  for (const [kind, rule] of RULES) {
    rule.lastIndex = at
    const text = rule.exec(formula)?.[0]
    if (text === undefined) continue
    if (kind === 'number') return { kind, text, value: Number(text) }
    if (kind === 'text') return { kind, text, value: text.slice(1, -1).replaceAll('""', '"') }
    if (kind !== 'reference') return { kind, text }
    const reference = parseReference(text)
    return reference && { kind, text, reference }
  }
  return null
}

function parseReference(text: string): Reference | null {
  const mark = text.lastIndexOf('!')
  const title = mark < 0 ? null : text.slice(0, mark)
  const sheet = title?.startsWith("'") ? title.slice(1, -1).replaceAll("''", "'") : title
  const range = text.slice(mark + 1)
  const area = parseArea(range)
  const [start = '', end = start] = range.split(':')
  const fixed = {
    startColumn: /^\$[A-Za-z]/.test(start),
    startRow: /\$\d/.test(start),
    endColumn: /^\$[A-Za-z]/.test(end),
    endRow: /\$\d/.test(end),
  }
  return area && { sheet, area, fixed }
}

function withDollars(corner: string, column: boolean, row: boolean): string {
  const [, letters = '', digits = ''] = /^([A-Z]*)(\d*)$/.exec(corner) ?? []
  return `${letters && column ? '$' : ''}${letters}${digits && row ? '$' : ''}${digits}`
}

import { TextDecoder } from 'node:util'

/** Receives the tokens of an XML document as they are written, so that a copy can be equal to the byte. */
export type XmlHandler = {
  /** `name`: without prefix; `tag`: from `<` to `>`. A tag that closes itself is followed by no `close`. */
  open?(name: string, tag: string, closes: boolean): void
  /** `tag`: from `</` to `>`. */
  close?(name: string, tag: string): void
  /** Text between tags, with references; `isLiteral`: the content of a CDATA section, which has none. */
  text?(text: string, isLiteral: boolean): void
  /** A declaration, comment or processing instruction. */
  other?(markup: string): void
}

/** A document that is not XML, or that has a document type definition. */
export class XmlFault extends Error {
  override name = 'XmlFault'
  readonly isDoctype: boolean
  constructor(message: string, isDoctype = false) {
    super(message)
    this.isDoctype = isDoctype
  }
}

/** Maximum characters of a tag or text. */
const MAX_TOKEN = 16_777_216
/** Tags inside tags; sheets need about ten. */
const MAX_DEPTH = 500

const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const COLON = 0x3a

/**
 * Splits a document that arrives in pieces into tokens and checks that tags match. Hand-written, because parsers give no tokens as
 * they are written, and need twice the time. `write` and `end` throw XmlFault.
 */
export class XmlTokens {
  readonly #handler: XmlHandler
  readonly #open: string[] = []
  readonly #decoder = new PieceDecoder()
  #rest = ''
  #hasRoot = false

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  write(piece: Uint8Array): void {
    this.#take(this.#decoder.text(piece))
  }

  end(): void {
    this.#take(this.#decoder.text())
    if (this.#rest.trim() !== '' || this.#open.length > 0 || !this.#hasRoot)
      throw new XmlFault('the document is incomplete')
  }

  #take(piece: string): void {
    const text = this.#rest === '' ? piece : this.#rest + piece
    let at = 0
    for (;;) {
      const from = text.indexOf('<', at)
      if (from < 0) break
      const end = tokenEnd(text, from)
      if (end < 0) break
      if (from > at) this.#text(text.slice(at, from), false)
      this.#markup(text, from, end)
      at = end
    }
    this.#rest = at === 0 ? text : text.slice(at)
    if (this.#rest.length > MAX_TOKEN) throw new XmlFault('a tag or text is too long')
  }

  #text(text: string, isLiteral: boolean): void {
    if (this.#open.length > 0) this.#handler.text?.(text, isLiteral)
    else if (text.trim() !== '') throw new XmlFault('text outside of the document')
    else this.#handler.other?.(text)
  }

  #markup(text: string, from: number, end: number): void {
    const kind = text.charCodeAt(from + 1)
    if (kind === SLASH) this.#close(text.slice(from, end))
    else if (kind === QUESTION) this.#handler.other?.(text.slice(from, end))
    else if (kind === EXCLAMATION) this.#declaration(text.slice(from, end))
    else this.#opening(text, from, end)
  }

  #declaration(markup: string): void {
    if (markup.startsWith('<![CDATA[')) this.#text(markup.slice(9, -3), true)
    else if (markup.startsWith('<!--')) this.#handler.other?.(markup)
    else throw new XmlFault('a document type definition', true)
  }

  #opening(text: string, from: number, end: number): void {
    if (this.#open.length === 0 && this.#hasRoot) throw new XmlFault('two documents in one')
    this.#hasRoot = true
    const closes = text.charCodeAt(end - 2) === SLASH
    const nameEnd = endOfName(text, from + 1)
    const name = text.slice(from + 1, nameEnd)
    if (name === '') throw new XmlFault('a tag without a name')
    if (!closes && this.#open.push(name) > MAX_DEPTH) throw new XmlFault('tags inside too many tags')
    this.#handler.open?.(localName(name), text.slice(from, end), closes)
  }

  #close(tag: string): void {
    const name = tag.slice(2, endOfName(tag, 2))
    if (this.#open.pop() !== name) throw new XmlFault('tags that do not match')
    this.#handler.close?.(localName(name), tag)
  }
}

/** Decodes pieces of UTF-8, or of UTF-16 with its byte order mark. */
class PieceDecoder {
  #decoder: TextDecoder | undefined
  #start: Uint8Array = new Uint8Array()

  /** Without a piece: the end. */
  text(piece?: Uint8Array): string {
    if (!this.#decoder) {
      this.#start = piece ? Buffer.concat([this.#start, piece]) : this.#start
      if (piece && this.#start.length < 2) return ''
      this.#decoder = new TextDecoder(encodingOf(this.#start), { fatal: true })
      return this.#decode(this.#decoder, this.#start, piece !== undefined)
    }
    return this.#decode(this.#decoder, piece, piece !== undefined)
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array | undefined, hasMore: boolean): string {
    try {
      return decoder.decode(bytes, { stream: hasMore })
    } catch {
      throw new XmlFault('invalid characters')
    }
  }
}

const encodingOf = ([first, second]: Uint8Array) =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** Index after a token that begins with `<`; -1 if the rest of it has not arrived. */
function tokenEnd(text: string, from: number): number {
  const next = text.charCodeAt(from + 1)
  if (next === QUESTION) return after(text, '?>', from + 2)
  if (next !== EXCLAMATION) return tagEnd(text, from + 1)
  if (text.startsWith('<!--', from)) return after(text, '-->', from + 4)
  if (text.startsWith('<![CDATA[', from)) return after(text, ']]>', from + 9)
  // Too short to tell which it is.
  if ('<![CDATA['.startsWith(text.slice(from, from + 9)) || '<!--'.startsWith(text.slice(from, from + 4)))
    return -1
  return from + 2
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

/** Index after the `>` of a tag; one inside quotes does not count. */
function tagEnd(text: string, from: number): number {
  let end = text.indexOf('>', from)
  for (let at = from; end >= 0; ) {
    const quote = nextQuote(text, at, end)
    if (quote < 0) return end + 1
    const other = text.indexOf(text.charAt(quote), quote + 1)
    if (other < 0) return -1
    at = other + 1
    if (other > end) end = text.indexOf('>', at)
  }
  return -1
}

function nextQuote(text: string, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22 || code === 0x27) return at
  }
  return -1
}

/** Index of the first character after a name: a blank, `/` or `>`. */
function endOfName(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === SLASH || code === 0x3e) break
  }
  return at
}

function localName(name: string): string {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) === COLON) return name.slice(at + 1)
  return name
}

import { decodeXml } from './xml-text.ts'

const TAB = 0x09
const SPACE = 0x20
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const EQUALS = 0x3d
const LETTER_R = 0x72
const LETTER_S = 0x73
const LETTER_T = 0x74

/** The attributes of a `c` tag that say what the cell is. Found in one pass, because there are as many tags as cells. */
export class CellTag {
  /** Address such as B7; '' if it is not stated. */
  address = ''
  style = 0
  type = 'n'

  read(tag: string): void {
    this.address = ''
    this.style = 0
    this.type = 'n'
    for (let at = nextBlank(tag, 1); at < tag.length; ) {
      while (at < tag.length && isBlank(tag.charCodeAt(at))) at += 1
      const equals = tag.indexOf('=', at)
      if (equals < 0) return
      const quote = nextQuote(tag, equals + 1)
      const end = quote < 0 ? -1 : tag.indexOf(tag.charAt(quote), quote + 1)
      if (end < 0) return
      if (isBlank(tag.charCodeAt(at + 1)) || tag.charCodeAt(at + 1) === EQUALS)
        this.#set(tag.charCodeAt(at), tag.slice(quote + 1, end))
      at = end + 1
    }
  }

  #set(name: number, value: string): void {
    if (name === LETTER_R) this.address = decodeXml(value)
    else if (name === LETTER_S) this.style = Number(value)
    else if (name === LETTER_T) this.type = decodeXml(value)
  }
}

const isBlank = (code: number) => code === SPACE || (code >= TAB && code <= 0x0d)

function nextBlank(tag: string, from: number): number {
  let at = from
  while (at < tag.length && !isBlank(tag.charCodeAt(at))) at += 1
  return at
}

function nextQuote(tag: string, from: number): number {
  for (let at = from; at < tag.length; at += 1) {
    const code = tag.charCodeAt(at)
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return at
  }
  return -1
}

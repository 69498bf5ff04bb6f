import { attribute, decodeXml, storableText, unescapeText } from './xml-text.ts'

/** Collects a text that may consist of parts with different formats. How it is pronounced (`rPh`) is not part of it. */
export class TextCollector {
  #text = ''
  #part = ''
  #isInPart = false
  #isKept = false
  #isPronounced = false

  begin(): void {
    this.#text = ''
    this.#isInPart = false
    this.#isPronounced = false
  }

  open(name: string, tag: string, closes: boolean): void {
    if (closes) return
    if (name === 'rPh') this.#isPronounced = true
    else if (name === 't' && !this.#isPronounced) {
      this.#isInPart = true
      this.#part = ''
      this.#isKept = attribute(tag, 'xml:space') === 'preserve'
    }
  }

  text(text: string, isLiteral: boolean): void {
    if (this.#isInPart) this.#part += plainText(text, isLiteral)
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPronounced = false
    else if (name === 't' && this.#isInPart) {
      // Blanks at the ends belong to a text only if it says so.
      this.#text += this.#isKept ? this.#part : this.#part.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
      this.#isInPart = false
    }
  }

  end(): string {
    return storableText(unescapeText(this.#text))
  }
}

/** What a text token says: references resolved unless it is literal, and line ends of any kind as one line feed, as XML reads them. */
export function plainText(text: string, isLiteral: boolean): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return isLiteral ? lines : decodeXml(lines)
}

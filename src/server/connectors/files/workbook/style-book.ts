import type { NumberFormat } from '../../../../contract/tables.ts'
import { formatKey } from '../../column-formats.ts'
import { builtInId, type CellStyles, isDateFormat } from './number-formats.ts'
import { readPart } from './package-parts.ts'
import { filled, prefixOf, rewritePart } from './rewrite-part.ts'
import { attribute, encodeAttribute, withAttribute } from './xml-text.ts'
import type { PartSource } from './zip-archive.ts'

/** Numbers below it are built in. */
const FIRST_OWN = 164

/** The styles of a workbook, to which styles with other number formats can be added. */
export class StyleBook {
  readonly #styles: CellStyles
  /** Each style as it is written. */
  readonly #written: string[] = []
  readonly #ids = new Map<string, number>()
  readonly #added: { xml: string; format: NumberFormat | null }[] = []
  readonly #addedIds: { id: number; pattern: string }[] = []
  readonly #known = new Map<string, number>()
  #prefix = ''

  private constructor(styles: CellStyles) {
    this.#styles = styles
  }

  /** Reads the part with the styles. Throws OriginFailure. */
  static async read(source: PartSource, styles: CellStyles): Promise<StyleBook> {
    const book = new StyleBook(styles)
    let isInCells = false
    let style = ''
    const addStyle = () => {
      book.#written.push(style)
      style = ''
    }
    await readPart(source, {
      open(name, tag, closes) {
        if (name === 'styleSheet') book.#prefix = prefixOf(tag)
        if (name === 'numFmt')
          book.#ids.set(attribute(tag, 'formatCode') ?? '', Number(attribute(tag, 'numFmtId')))
        if (name === 'cellXfs') isInCells = !closes
        else if (isInCells) {
          style += tag
          if (name === 'xf' && closes) addStyle()
        }
      },
      close(name, tag) {
        if (name === 'cellXfs') isInCells = false
        else if (isInCells) style += tag
        if (isInCells && name === 'xf') addStyle()
      },
    })
    return book
  }

  get isChanged(): boolean {
    return this.#added.length > 0
  }

  format(style: number): NumberFormat | null {
    const added = this.#added[style - this.#written.length]
    return added ? added.format : this.#styles.format(style)
  }

  isDate(style: number): boolean {
    return isDateFormat(this.format(style))
  }

  /** A style that differs from another one in its number format only. */
  withFormat(style: number, format: NumberFormat | null): number {
    if (formatKey(this.format(style)) === formatKey(format)) return style
    const key = `${style} ${formatKey(format)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const added = this.#added[style - this.#written.length]
    const base = this.#written[style] ?? added?.xml ?? `<${this.#prefix}xf/>`
    const end = base.indexOf('>') + 1
    const tag = withAttribute(base.slice(0, end), 'numFmtId', String(this.#idOf(format)))
    this.#added.push({ xml: withAttribute(tag, 'applyNumberFormat', '1') + base.slice(end), format })
    const number = this.#written.length + this.#added.length - 1
    this.#known.set(key, number)
    return number
  }

  /** The part with the added styles. Throws OriginFailure. */
  async write(source: PartSource): Promise<string> {
    const styles = this.#added.map(({ xml }) => xml).join('')
    const count = String(this.#written.length + this.#added.length)
    const formats = this.#addedIds
      .map(
        ({ id, pattern }) =>
          `<${this.#prefix}numFmt numFmtId="${id}" formatCode="${encodeAttribute(pattern)}"/>`,
      )
      .join('')
    let hasFormats = formats === ''
    const list = `<${this.#prefix}numFmts count="${this.#addedIds.length}">${formats}</${this.#prefix}numFmts>`
    return rewritePart(source, {
      open(name, tag, depth) {
        // The formats are the first element.
        const before = depth === 1 && !hasFormats && name !== 'numFmts' ? list : ''
        hasFormats ||= before !== ''
        if (name === 'cellXfs') {
          const counted = withAttribute(tag, 'count', count)
          return before + (tag.endsWith('/>') ? filled(name, counted, styles) : counted)
        }
        if (name !== 'numFmts' || hasFormats) return before + tag
        // Its number of formats may be left out.
        const counted = withAttribute(tag, 'count', undefined)
        if (!tag.endsWith('/>')) return counted
        hasFormats = true
        return filled(name, counted, formats)
      },
      close(name, tag) {
        if (name === 'cellXfs') return styles + tag
        if (name !== 'numFmts' || hasFormats) return tag
        hasFormats = true
        return formats + tag
      },
    })
  }

  #idOf(format: NumberFormat | null): number {
    const pattern = format?.pattern ?? ''
    const known = builtInId(format) ?? this.#ids.get(pattern)
    if (known !== undefined) return known
    const id = Math.max(FIRST_OWN, ...[...this.#ids.values()].map((taken) => taken + 1))
    this.#ids.set(pattern, id)
    this.#addedIds.push({ id, pattern })
    return id
  }
}

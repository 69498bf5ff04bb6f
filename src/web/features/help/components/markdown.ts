/** Inline content. */
export type Span =
  | { kind: 'text' | 'code' | 'strong'; text: string }
  | { kind: 'link'; text: string; href: string }

/** A block of a document. */
export type Block =
  | { kind: 'heading'; level: number; id: string; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'picture'; text: string; href: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }

const ITEM = /^(?:- |\d{1,3}\. )/

/** Parser for the subset of Markdown that our documents use. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  /** Takes lines from the front while `belongs` holds. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line) => !belongs(line))
    return lines.splice(0, end === -1 ? lines.length : end)
  }
  while (lines.length > 0) {
    const [line = ''] = lines
    if (line.startsWith('#')) {
      lines.shift()
      const level = line.indexOf(' ')
      blocks.push({ kind: 'heading', level, id: idOf(line), spans: spansOf(line.slice(level + 1)) })
    } else if (line.startsWith('```')) {
      lines.shift()
      blocks.push({ kind: 'code', text: take((one) => !one.startsWith('```')).join('\n') })
      lines.shift()
    } else if (line.startsWith('![')) {
      lines.shift()
      const [text = '', href = ''] = line.slice(2, -1).split('](')
      blocks.push({ kind: 'picture', text, href })
    } else if (line.startsWith('|')) {
      const [head = [], , ...rows] = take((one) => one.startsWith('|')).map(cellsOf)
      blocks.push({ kind: 'table', head: head.every((cell) => cell.length === 0) ? [] : head, rows })
    } else if (ITEM.test(line)) {
      const items = take((one) => ITEM.test(one)).map((one) => spansOf(one.replace(ITEM, '')))
      blocks.push({ kind: 'list', ordered: !line.startsWith('-'), items })
    } else if (line.trim() === '') lines.shift()
    else blocks.push({ kind: 'paragraph', spans: spansOf(take((one) => one.trim() !== '').join(' ')) })
  }
  return blocks
}

/** Anchor of a heading, as GitHub derives it. */
const idOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

const cellsOf = (line: string): Span[][] =>
  line
    .replaceAll('\\|', '\0')
    .split('|')
    .slice(1, -1)
    .map((cell) => spansOf(cell.replaceAll('\0', '|').trim()))

const MARKED = /(`[^`]{1,300}`|\*\*[^*]{1,300}\*\*|\[[^\][]{1,300}\]\([^()\s]{1,300}\))/

/** Parses the inline formatting of a line. */
function spansOf(line: string): Span[] {
  return line
    .split(MARKED)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) }
      if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) }
      const [text = '', href] = part.slice(1, -1).split('](')
      return part.startsWith('[') && href !== undefined
        ? { kind: 'link', text, href }
        : { kind: 'text', text: part }
    })
}

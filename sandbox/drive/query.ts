import { DriveError } from '../error-reply.ts'

/** Properties that a search can match. Times are RFC 3339. */
export type Searchable = {
  name: string
  mimeType: string
  trashed: boolean
  starred: boolean
  sharedWithMe: boolean
  createdTime: string
  modifiedTime: string
  owners: readonly string[]
  writers: readonly string[]
  readers: readonly string[]
}

type Test = (file: Searchable) => boolean

const token = /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(<=|>=|!=|[=<>()])|([A-Za-z]+))/y
const people = new Set(['owners', 'writers', 'readers'])

/** Compiles Drive's `q` parameter to a predicate; `me` is the caller's address. Throws Drive's 400 for unsupported syntax. */
export function searchFor(q: string, me: string): Test {
  const parser = new Parser(tokensOf(q), me)
  const test = parser.either()
  parser.end()
  return test
}

function tokensOf(q: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  const text = q.trimEnd()
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (match === null) throw invalidQuery()
    tokens.push(match[0].trim())
  }
  return tokens
}

class Parser {
  readonly #tokens: string[]
  readonly #me: string
  #next = 0

  constructor(tokens: string[], me: string) {
    this.#tokens = tokens
    this.#me = me
  }

  either(): Test {
    let left = this.#both()
    while (this.#accept('or')) {
      const [a, b] = [left, this.#both()]
      left = (file) => a(file) || b(file)
    }
    return left
  }

  end(): void {
    if (this.#next < this.#tokens.length) throw invalidQuery()
  }

  #both(): Test {
    let left = this.#one()
    while (this.#accept('and')) {
      const [a, b] = [left, this.#one()]
      left = (file) => a(file) && b(file)
    }
    return left
  }

  #one(): Test {
    if (this.#accept('not')) {
      const inner = this.#one()
      return (file) => !inner(file)
    }
    if (this.#accept('(')) {
      const inner = this.either()
      if (!this.#accept(')')) throw invalidQuery()
      return inner
    }
    const word = this.#take()
    if (isQuoted(word)) return this.#membership(unquoted(word))
    return this.#comparison(word)
  }

  #membership(person: string): Test {
    if (!this.#accept('in')) throw invalidQuery()
    const list = this.#take()
    if (list === 'parents') return () => person === 'root'
    if (!people.has(list)) throw invalidQuery()
    const email = person === 'me' ? this.#me : person.toLowerCase()
    return (file) =>
      (list === 'owners' ? file.owners : list === 'writers' ? file.writers : file.readers).includes(email)
  }

  #comparison(field: string): Test {
    const isNext = this.#tokens[this.#next]
    if (field === 'sharedWithMe' && isNext !== '=' && isNext !== '!=') return (file) => file.sharedWithMe
    const operator = this.#take()
    const value = this.#take()
    switch (field) {
      case 'name':
        return textTest(operator, unquoted(value), (file) => file.name)
      case 'mimeType':
        return textTest(operator, unquoted(value), (file) => file.mimeType)
      case 'trashed':
      case 'starred':
      case 'sharedWithMe':
        return flagTest(operator, value, (file) => file[field])
      case 'createdTime':
      case 'modifiedTime':
        return timeTest(operator, unquoted(value), (file) => file[field])
      default:
        throw invalidQuery()
    }
  }

  #take(): string {
    const found = this.#tokens[this.#next]
    if (found === undefined) throw invalidQuery()
    this.#next += 1
    return found
  }

  #accept(word: string): boolean {
    if (this.#tokens[this.#next]?.toLowerCase() !== word) return false
    this.#next += 1
    return true
  }
}

function textTest(operator: string, wanted: string, read: (file: Searchable) => string): Test {
  const lower = wanted.toLowerCase()
  switch (operator) {
    case '=':
      return (file) => read(file).toLowerCase() === lower
    case '!=':
      return (file) => read(file).toLowerCase() !== lower
    case 'contains':
      // Like Drive, matches only word prefixes.
      return (file) => ` ${words(read(file))}`.includes(` ${words(wanted)}`)
    default:
      throw invalidQuery()
  }
}

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function flagTest(operator: string, value: string, read: (file: Searchable) => boolean): Test {
  if (!['true', 'false'].includes(value) || !['=', '!='].includes(operator)) throw invalidQuery()
  const wanted = (value === 'true') === (operator === '=')
  return (file) => read(file) === wanted
}

function timeTest(operator: string, value: string, read: (file: Searchable) => string): Test {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`
  const wanted = Date.parse(zoned.includes('T') ? zoned : `${value}T00:00:00Z`)
  if (Number.isNaN(wanted)) throw invalidQuery()
  const compare: Record<string, (time: number) => boolean> = {
    '=': (time) => time === wanted,
    '!=': (time) => time !== wanted,
    '<': (time) => time < wanted,
    '<=': (time) => time <= wanted,
    '>': (time) => time > wanted,
    '>=': (time) => time >= wanted,
  }
  const holds = compare[operator]
  if (holds === undefined) throw invalidQuery()
  return (file) => holds(Date.parse(read(file)))
}

function isQuoted(word: string): boolean {
  return word.startsWith("'") || word.startsWith('"')
}

function unquoted(word: string): string {
  if (!isQuoted(word)) throw invalidQuery()
  return word.slice(1, -1).replace(/\\(.)/g, '$1')
}

function invalidQuery(): DriveError {
  return new DriveError(400, 'INVALID_ARGUMENT', 'Invalid Value', 'invalid', 'q')
}

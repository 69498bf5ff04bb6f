import type { ApiSettings } from '../../../contract/connections.ts'

const MASK = '[secret]'
/** A shorter one is masked in messages and exchanges, not in data, where it may stand by chance. */
const SHORTEST_IN_DATA = 8

/** Masks what is known to be secret, in whatever form it turns up. */
export class Redactor {
  readonly #everywhere: RegExp | null
  readonly #inData: RegExp | null
  /** Characters of the longest form. */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap(partsOf).flatMap(formsOf)
    this.longest = Math.max(0, ...forms.map(({ length }) => length))
    this.#everywhere = anyOf(forms)
    this.#inData = anyOf(forms.filter(({ length }) => length >= SHORTEST_IN_DATA))
  }

  /** A text for a person, without secrets. */
  text(text: string): string {
    return this.#everywhere ? text.replace(this.#everywhere, MASK) : text
  }

  /** The beginning of a text, without secrets and without part of one at its end. */
  beginning(text: string, characters: number): string {
    return this.text(text.slice(0, characters + this.longest)).slice(0, characters)
  }

  /** A text of the origin's data, without secrets. */
  data(text: string): string {
    return this.#inData ? text.replace(this.#inData, MASK) : text
  }

  /** Whether there are secrets to look for in data. */
  get guardsData(): boolean {
    return this.#inData !== null
  }

  /** Whether such data holds a secret. */
  isIn(text: string): boolean {
    return this.#inData !== null && text.search(this.#inData) >= 0
  }
}

/** All values of the settings that nobody may see. */
export const secretsOf = ({ headers, params }: Pick<ApiSettings, 'headers' | 'params'>): string[] =>
  [...headers, ...params].flatMap(({ is_secret, value }) => (is_secret && value ? [value] : []))

/** "Bearer abc" is secret as a whole, and "abc" alone; "Basic …" as what it encodes, and the password in that. */
function partsOf(secret: string): string[] {
  const [, scheme = '', credentials] = /^(\w+)\s+(\S.*)$/.exec(secret.trim()) ?? []
  if (credentials === undefined) return [secret]
  const parts = [secret, credentials]
  if (scheme.toLowerCase() === 'basic') {
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    const password = pair.slice(pair.indexOf(':') + 1)
    parts.push(pair, password)
  }
  return parts
}

function formsOf(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    // As CSV quotes it.
    secret.replaceAll('"', '""'),
    ...base64Forms(secret),
  ]
  return forms.filter((form) => form !== '')
}

/** What is the same of a text in base64, whatever stands before and behind it. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    // A character that also encodes neighbours is left out.
    const first = Math.ceil((before * 8) / 6)
    const form = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
    return form.length < 6 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function anyOf(forms: readonly string[]): RegExp | null {
  if (forms.length === 0) return null
  // A form that holds another one goes first.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((form) => form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|'), 'gi')
}

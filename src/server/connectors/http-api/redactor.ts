import type { ApiSettings } from '../../../contract/connections/calls.ts'

const MASK = '[secret]'
/** Shorter secrets are masked in messages and exchanges but not in data, where they may occur by chance. */
const MIN_LENGTH_IN_DATA = 8

/** Masks known secrets in all their encodings. */
export class Redactor {
  readonly #everywhere: RegExp | null
  readonly #inData: RegExp | null
  /** Length of the longest form. */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap(partsOf).flatMap(formsOf)
    this.longest = Math.max(0, ...forms.map(({ length }) => length))
    this.#everywhere = anyOf(forms)
    this.#inData = anyOf(forms.filter(({ length }) => length >= MIN_LENGTH_IN_DATA))
  }

  /** Masks secrets in a message. */
  text(text: string): string {
    return this.#everywhere ? text.replace(this.#everywhere, MASK) : text
  }

  /** The beginning of a text, masked, without a partial secret at its end. */
  beginning(text: string, characters: number): string {
    return this.text(text.slice(0, characters + this.longest)).slice(0, characters)
  }

  /** Masks secrets in data. */
  data(text: string): string {
    return this.#inData ? text.replace(this.#inData, MASK) : text
  }

  /** Whether any secret is masked in data. */
  get guardsData(): boolean {
    return this.#inData !== null
  }

  /** Whether data contains a secret. */
  isIn(text: string): boolean {
    return this.#inData !== null && text.search(this.#inData) >= 0
  }
}

/** All secret values of the settings. */
export const secretsOf = ({ headers, params }: Pick<ApiSettings, 'headers' | 'params'>): string[] =>
  [...headers, ...params].flatMap(({ is_secret, value }) => (is_secret && value ? [value] : []))

/** "Bearer abc" is secret as a whole, and so is "abc"; for "Basic …" also the decoded text and its password. */
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
    // As quoted in CSV.
    secret.replaceAll('"', '""'),
    ...base64Forms(secret),
  ]
  return forms.filter((form) => form !== '')
}

/** The invariant part of a text's base64 form, whatever precedes and follows it. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    // Characters that also encode neighbouring bytes are omitted.
    const first = Math.ceil((before * 8) / 6)
    const form = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
    return form.length < 6 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function anyOf(forms: readonly string[]): RegExp | null {
  if (forms.length === 0) return null
  // Forms that contain another one come first.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((form) => form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|'), 'gi')
}

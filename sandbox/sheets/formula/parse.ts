import { type Reference, type Token, tokensOf } from './tokens.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '%'; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }

const STRENGTH: Readonly<Record<string, number>> = {
  '=': 1,
  '<>': 1,
  '<': 1,
  '>': 1,
  '<=': 1,
  '>=': 1,
  '&': 2,
  '+': 3,
  '-': 3,
  '*': 4,
  '/': 4,
  '^': 6,
}
// Binds tighter than `*` and weaker than `^`: -2^2 is -4 in Sheets.
const UNARY_STRENGTH = 5

// Limits nesting to protect the call stack.
const MAX_TOKENS = 4000

/** Parses a formula without its `=`; null if it is invalid or too long. */
export function parseFormula(formula: string): Expression | null {
  const tokens = tokensOf(formula)?.filter(({ kind }) => kind !== 'space')
  if (!tokens || tokens.length > MAX_TOKENS) return null
  const reader = new Reader(tokens)
  const expression = reader.expression(0)
  return reader.finished ? expression : null
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get finished(): boolean {
    return this.#at === this.#tokens.length
  }

  expression(weakest: number): Expression | null {
    let left = this.#operand()
    while (left) {
      if (this.#take('%')) {
        left = { kind: 'unary', operator: '%', operand: left }
        continue
      }
      const operator = this.#tokens[this.#at]?.text ?? ''
      const strength = this.#tokens[this.#at]?.kind === 'operator' ? STRENGTH[operator] : undefined
      if (strength === undefined || strength < weakest) return left
      this.#at++
      const right = this.expression(strength + 1)
      left = right && { kind: 'binary', operator, left, right }
    }
    return null
  }

  #operand(): Expression | null {
    const token = this.#tokens[this.#at++]
    if (!token) return null
    if (token.kind === 'number' || token.kind === 'text') return { kind: 'literal', value: token.value }
    if (token.kind === 'reference') return { kind: 'reference', reference: token.reference }
    if (token.kind === 'error') return { kind: 'error', text: token.text }
    if (token.kind === 'name') return this.#name(token.text.toUpperCase())
    if (token.text === '-' || token.text === '+') {
      const operand = this.expression(UNARY_STRENGTH)
      return operand && { kind: 'unary', operator: token.text, operand }
    }
    if (token.text !== '(') return null
    const inner = this.expression(0)
    return this.#take(')') ? inner : null
  }

  #name(name: string): Expression | null {
    if (!this.#take('(')) {
      if (name === 'TRUE' || name === 'FALSE') return { kind: 'literal', value: name === 'TRUE' }
      return { kind: 'name', name }
    }
    const args: Expression[] = []
    if (this.#take(')')) return { kind: 'call', name, args }
    do {
      const arg = this.expression(0)
      if (!arg) return null
      args.push(arg)
    } while (this.#take(','))
    return this.#take(')') ? { kind: 'call', name, args } : null
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'operator' || token.text !== text) return false
    this.#at++
    return true
  }
}

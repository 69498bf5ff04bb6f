import { hash } from 'node:crypto'

/** A hash of texts in their order. Its state is text, so that another process can go on with it. */
export class RunningHash {
  #state: string

  /** Goes on from the state of another one; '' begins. */
  constructor(state = '') {
    this.#state = state
  }

  /** After all texts so far, hexadecimal; '' before the first. */
  get state(): string {
    return this.#state
  }

  push(text: string): void {
    this.#state = hash('sha256', this.#state + text, 'hex')
  }
}

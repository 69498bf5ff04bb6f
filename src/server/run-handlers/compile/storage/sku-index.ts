const BYTES_AT_FIRST = 1 << 16
const SKUS_AT_LEAST = 1 << 12
// FNV-1a.
const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193
const WORD = 4
/** What stands before a text, in words: its number, and how many bytes it has. */
const HEAD = 2

/**
 * Numbers texts, given as bytes, from 0 on in the order in which they are first met. Outside the heap, about 30 bytes and those of the
 * text for each: a Map of a million strings takes 100 MB. Of millions of texts that come in any order most are not in the processor's
 * caches: one that is looked for is met in two places, that of its hash and its own.
 */
export class SkuIndex {
  #size = 0
  #words = new Int32Array(BYTES_AT_FIRST / WORD)
  #bytes = new Uint8Array(this.#words.buffer)
  /** Where the next text comes, in words; 0 stands for none. */
  #end = 1
  /** Where each text is, in words. */
  #begins: Int32Array
  /** By hash, those that meet in one place behind each other: where the text is, and the hash. Twice as many as texts at least. */
  #places: Int32Array

  /** `expected`: how many there will be, as far as that is known. */
  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(expected, SKUS_AT_LEAST)))
    this.#begins = new Int32Array(size)
    this.#places = new Int32Array(4 * size)
  }

  get size(): number {
    return this.#size
  }

  /** The number of a text; -1: it has none. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const begin = this.#places[this.#placeOf(hashOf(bytes, start, end), bytes, start, end)] ?? 0
    return begin === 0 ? -1 : (this.#words[begin] ?? 0)
  }

  /** The number of a text, which it gets if it has none. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const place = this.#placeOf(hash, bytes, start, end)
    const known = this.#places[place] ?? 0
    if (known > 0) return this.#words[known] ?? 0
    const number = this.#size
    const begin = this.#end
    this.#end += HEAD + Math.ceil((end - start) / WORD)
    this.#makeRoom()
    this.#words[begin] = number
    this.#words[begin + 1] = end - start
    for (let n = start, to = (begin + HEAD) * WORD; n < end; n += 1, to += 1) this.#bytes[to] = bytes[n] ?? 0
    this.#begins[number] = begin
    this.#places[place] = begin
    this.#places[place + 1] = hash
    this.#size += 1
    if (this.#size === this.#begins.length) this.#grow()
    return number
  }

  /** Writes a text to `target` at `at`; returns where it ends there. */
  write(number: number, target: Buffer, at: number): number {
    const start = ((this.#begins[number] ?? 0) + HEAD) * WORD
    const end = start + this.lengthOf(number)
    let to = at
    for (let n = start; n < end; n += 1) target[to++] = this.#bytes[n] ?? 0
    return to
  }

  /** How many bytes a text has. */
  lengthOf(number: number): number {
    return this.#words[(this.#begins[number] ?? 0) + 1] ?? 0
  }

  #placeOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const last = this.#places.length - 1
    let place = (hash << 1) & last
    for (let known = this.#places[place] ?? 0; known > 0; known = this.#places[place] ?? 0) {
      if (this.#places[place + 1] === hash && this.#is(known, bytes, start, end)) return place
      place = (place + 2) & last
    }
    return place
  }

  #is(begin: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#words[begin + 1] !== end - start) return false
    const shift = (begin + HEAD) * WORD - start
    for (let n = start; n < end; n += 1) if (this.#bytes[n + shift] !== bytes[n]) return false
    return true
  }

  #makeRoom(): void {
    if (this.#end <= this.#words.length) return
    const larger = new Int32Array(Math.max(this.#end, this.#words.length * 2))
    larger.set(this.#words)
    this.#words = larger
    this.#bytes = new Uint8Array(larger.buffer)
  }

  #grow(): void {
    const begins = new Int32Array(2 * this.#begins.length)
    begins.set(this.#begins)
    const places = new Int32Array(2 * this.#places.length)
    for (let from = 0; from < this.#places.length; from += 2) {
      const [begin = 0, hash = 0] = [this.#places[from], this.#places[from + 1]]
      if (begin === 0) continue
      let place = (hash << 1) & (places.length - 1)
      while ((places[place] ?? 0) > 0) place = (place + 2) & (places.length - 1)
      places[place] = begin
      places[place + 1] = hash
    }
    this.#begins = begins
    this.#places = places
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS
  for (let n = start; n < end; n += 1) hash = Math.imul(hash ^ (bytes[n] ?? 0), PRIME)
  // The low bits alone choose a place.
  return hash ^ (hash >>> 15)
}

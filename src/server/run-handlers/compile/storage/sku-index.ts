const INITIAL_BYTES = 1 << 16
const MIN_SKUS = 1 << 12
// FNV-1a.
const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193
const WORD = 4
/** Words before a text: its number and its length in bytes. */
const HEAD = 2

/**
 * Numbers SKUs, given as bytes, from 0 in the order in which they are added: a hash table with open addressing in typed arrays. It
 * takes about 30 bytes per SKU plus the text, outside the heap; a Map of a million strings takes 100 MB of heap. A lookup reads two
 * memory locations, the hash entry and the text, because most lookups miss the processor's caches.
 */
export class SkuIndex {
  #size = 0
  #words = new Int32Array(INITIAL_BYTES / WORD)
  #bytes = new Uint8Array(this.#words.buffer)
  /** Where the next text is stored, in words. Starts at 1: 0 means an empty entry. */
  #end = 1
  /** Where the text of each number is stored, in words. */
  #begins: Int32Array
  /** Hash entries, at least twice as many as texts: where the text is stored, and its hash. */
  #slots: Int32Array

  /** `expected`: an estimate of the number of SKUs. */
  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(expected, MIN_SKUS)))
    this.#begins = new Int32Array(size)
    this.#slots = new Int32Array(4 * size)
  }

  get size(): number {
    return this.#size
  }

  /** The number of a SKU; -1: unknown. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const begin = this.#slots[this.#slotOf(hashOf(bytes, start, end), bytes, start, end)] ?? 0
    return begin === 0 ? -1 : (this.#words[begin] ?? 0)
  }

  /** The number of a SKU, which is added if it is new. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const slot = this.#slotOf(hash, bytes, start, end)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return this.#words[known] ?? 0
    const number = this.#size
    const begin = this.#end
    this.#end += HEAD + Math.ceil((end - start) / WORD)
    this.#makeRoom()
    this.#words[begin] = number
    this.#words[begin + 1] = end - start
    for (let n = start, to = (begin + HEAD) * WORD; n < end; n += 1, to += 1) this.#bytes[to] = bytes[n] ?? 0
    this.#begins[number] = begin
    this.#slots[slot] = begin
    this.#slots[slot + 1] = hash
    this.#size += 1
    if (this.#size === this.#begins.length) this.#grow()
    return number
  }

  /** Writes a SKU to `target` at `at` and returns where it ends. */
  write(number: number, target: Buffer, at: number): number {
    const start = ((this.#begins[number] ?? 0) + HEAD) * WORD
    const end = start + this.lengthOf(number)
    let to = at
    for (let n = start; n < end; n += 1) target[to++] = this.#bytes[n] ?? 0
    return to
  }

  /** Length of a SKU in bytes. */
  lengthOf(number: number): number {
    return this.#words[(this.#begins[number] ?? 0) + 1] ?? 0
  }

  #slotOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const last = this.#slots.length - 1
    let slot = (hash << 1) & last
    for (let known = this.#slots[slot] ?? 0; known > 0; known = this.#slots[slot] ?? 0) {
      if (this.#slots[slot + 1] === hash && this.#is(known, bytes, start, end)) return slot
      slot = (slot + 2) & last
    }
    return slot
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
    const slots = new Int32Array(2 * this.#slots.length)
    for (let from = 0; from < this.#slots.length; from += 2) {
      const [begin = 0, hash = 0] = [this.#slots[from], this.#slots[from + 1]]
      if (begin === 0) continue
      let slot = (hash << 1) & (slots.length - 1)
      while ((slots[slot] ?? 0) > 0) slot = (slot + 2) & (slots.length - 1)
      slots[slot] = begin
      slots[slot + 1] = hash
    }
    this.#begins = begins
    this.#slots = slots
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS
  for (let n = start; n < end; n += 1) hash = Math.imul(hash ^ (bytes[n] ?? 0), PRIME)
  // The low bits select the entry, so the high ones are mixed in.
  return hash ^ (hash >>> 15)
}

const BYTES_AT_FIRST = 1 << 16
const SKUS_AT_LEAST = 1 << 12
// FNV-1a.
const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * Numbers texts, given as bytes, from 0 on in the order in which they are first met. Outside the heap, about 12 bytes and those of the
 * text for each: a Map of a million strings takes 100 MB.
 */
export class SkuIndex {
  #size = 0
  #bytes = Buffer.allocUnsafe(BYTES_AT_FIRST)
  /** Where each text begins in the bytes; the one behind it, where it ends. */
  #begins: Float64Array
  /** By hash, those that meet in one place behind each other: the number counted from 1, 0 for none, and the hash. Twice as many as texts at least. */
  #places: Int32Array

  /** `expected`: how many there will be, as far as that is known. */
  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(expected, SKUS_AT_LEAST)))
    this.#begins = new Float64Array(size + 1)
    this.#places = new Int32Array(4 * size)
  }

  get size(): number {
    return this.#size
  }

  /** The number of a text; -1: it has none. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return (this.#places[this.#placeOf(hashOf(bytes, start, end), bytes, start, end)] ?? 0) - 1
  }

  /** The number of a text, which it gets if it has none. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const place = this.#placeOf(hash, bytes, start, end)
    const known = this.#places[place] ?? 0
    if (known > 0) return known - 1
    const number = this.#size
    const begin = this.#begins[number] ?? 0
    this.#makeRoom(begin + end - start)
    for (let n = start, to = begin; n < end; n += 1, to += 1) this.#bytes[to] = bytes[n] ?? 0
    this.#begins[number + 1] = begin + end - start
    this.#places[place] = number + 1
    this.#places[place + 1] = hash
    this.#size += 1
    if (this.#size + 1 === this.#begins.length) this.#grow()
    return number
  }

  /** Writes a text to `target` at `at`; returns where it ends there. */
  write(number: number, target: Buffer, at: number): number {
    const end = this.#begins[number + 1] ?? 0
    let to = at
    for (let n = this.#begins[number] ?? 0; n < end; n += 1) target[to++] = this.#bytes[n] ?? 0
    return to
  }

  /** How many bytes a text has. */
  lengthOf(number: number): number {
    return (this.#begins[number + 1] ?? 0) - (this.#begins[number] ?? 0)
  }

  #placeOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const last = this.#places.length - 1
    let place = (hash << 1) & last
    for (let known = this.#places[place] ?? 0; known > 0; known = this.#places[place] ?? 0) {
      if (this.#places[place + 1] === hash && this.#is(known - 1, bytes, start, end)) return place
      place = (place + 2) & last
    }
    return place
  }

  #is(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.lengthOf(number) !== end - start) return false
    const shift = (this.#begins[number] ?? 0) - start
    for (let n = start; n < end; n += 1) if (this.#bytes[n + shift] !== bytes[n]) return false
    return true
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes, this.#bytes.length * 2))
    this.#bytes.copy(larger)
    this.#bytes = larger
  }

  #grow(): void {
    const begins = new Float64Array(2 * this.#begins.length - 1)
    begins.set(this.#begins)
    const places = new Int32Array(2 * this.#places.length)
    for (let from = 0; from < this.#places.length; from += 2) {
      const [number = 0, hash = 0] = [this.#places[from], this.#places[from + 1]]
      if (number === 0) continue
      let place = (hash << 1) & (places.length - 1)
      while ((places[place] ?? 0) > 0) place = (place + 2) & (places.length - 1)
      places[place] = number
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

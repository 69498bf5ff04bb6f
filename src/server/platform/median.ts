const FIRST_NUMBERS = 4096

/** Collects numbers, eight bytes each, and computes their median. */
export class MedianOf {
  #numbers = new Float64Array(FIRST_NUMBERS)
  #count = 0

  add(number: number | null): void {
    if (number === null) return
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#count)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#count++] = number
  }

  /** Null: there is no number. */
  value(): number | null {
    if (this.#count === 0) return null
    const sorted = this.#numbers.subarray(0, this.#count).sort()
    const middle = (this.#count - 1) / 2
    return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
  }
}

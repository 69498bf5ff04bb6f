import { valueText } from '../../../../contract/decisions/decisions.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SourceCells } from '../storage/source-cells.ts'
import type { ColumnRef, CompilePlan } from './compile-plan.ts'
import type { FieldJudge } from './field-judge.ts'
import { disagreementKey } from './plan-decisions.ts'

type Option = { text: string; sources: Set<number>; wins: number }

/** Different values for a field, and the records that have them. */
type Disagreement = {
  field: number
  /** The texts in order, as JSON. */
  texts: string
  options: Map<string, Option>
  rows: number[]
  decision_id: number | null
}

/** How many records of a field some sources disagree about. */
type Dispute = {
  field: number
  /** Their numbers, in order. */
  sources: number[]
  /** The rule that prefers one of them; 0: none. */
  decision_id: number
  records: number
  /** Of these, those whose values are not listed: there are too many, or they are too long. */
  unlisted: number
}

/** What sources say about a field of the current record. `refs`: in the order of precedence. */
type Found = { field: number; refs: ColumnRef[]; said: string[]; winner: string; decision_id: number | null }

type Chosen = {
  cells: SourceCells
  refs: (ColumnRef | undefined)[]
  judge: FieldJudge | null
}

/** Finds the fields about which sources disagree, one record after the other, and applies what was decided about them. */
export class Disagreements {
  readonly #plan: CompilePlan
  /** Fields that several sources may fill. */
  readonly #fields: readonly number[]
  readonly #listed = new Map<string, Disagreement>()
  readonly #disputes = new Map<string, Dispute>()
  /** How many disagreements of each field are listed. */
  readonly #counts: Int32Array
  #found: Found[] = []

  constructor(plan: CompilePlan) {
    this.#plan = plan
    this.#fields = plan.fields.flatMap(({ from }, n) => (from.length > 1 ? [n] : []))
    this.#counts = new Int32Array(plan.fields.length)
  }

  get listed(): Iterable<Disagreement> {
    return this.#listed.values()
  }

  get disputes(): Iterable<Dispute> {
    return this.#disputes.values()
  }

  /** Finds the disagreements of a record whose cells have been chosen. Where a value was decided, its cell is chosen instead. */
  settle(chosen: Chosen): void {
    if (this.#found.length > 0) this.#found = []
    for (const field of this.#fields) {
      const ref = chosen.refs[field]
      if (ref === undefined || !this.#hasOther(field, ref, chosen.cells)) continue
      const found = this.#read(field, ref, chosen)
      if (new Set(found.said).size < 2) continue
      this.#decide(found, chosen)
      this.#found.push(found)
    }
  }

  /** Counts what was found about the record. A person has decided fields that are overridden. */
  add(row_no: number, overridden: ReadonlyMap<number, unknown>): void {
    for (const found of this.#found) if (!overridden.has(found.field)) this.#count(found, row_no)
  }

  /** Whether another source has a value in other bytes. */
  #hasOther(field: number, chosen: ColumnRef, cells: SourceCells): boolean {
    for (const ref of this.#plan.fields[field]?.from ?? [])
      if (ref.source !== chosen.source && cells.isFilled(ref) && !cells.isSame(ref, chosen)) return true
    return false
  }

  #read(field: number, winner: ColumnRef, { cells, judge }: Chosen): Found {
    const refs: ColumnRef[] = []
    const said: string[] = []
    let won = ''
    for (const ref of this.#plan.fields[field]?.from ?? []) {
      if (!cells.isFilled(ref)) continue
      const text = valueText(judge ? judge.normalise(field, cells, ref) : cells.value(ref))
      if (text === '') continue
      if (ref.source === winner.source) won = text
      refs.push(ref)
      said.push(text)
    }
    return { field, refs, said, winner: won, decision_id: null }
  }

  #decide(found: Found, { cells, refs, judge }: Chosen): void {
    const { decisions } = this.#plan
    if (decisions === undefined) return
    const { field, said } = found
    const isFree = this.#plan.fields[field]?.group === null
    if (isFree && decisions.by_texts.size > 0) {
      const decision = decisions.by_texts.get(disagreementKey(field, textsOf(said)))
      const at = decision === undefined ? -1 : said.indexOf(decision.text)
      const ref = found.refs[at]
      if (decision && ref) {
        judge?.accepts(field, cells, ref)
        refs[field] = ref
        found.winner = decision.text
        found.decision_id = decision.id
        return
      }
    }
    const preferred = decisions.by_source[field]
    if (preferred && refs[field]?.source === preferred.source) found.decision_id = preferred.id
  }

  #count({ field, refs, said, winner, decision_id }: Found, row_no: number): void {
    const { sources, decisions } = this.#plan
    const numbers = refs.map(({ source }) => sources[source]?.number ?? 0)
    const bySource = decision_id !== null && decisions?.by_source[field]?.id === decision_id
    const isListed = !bySource && this.#list({ field, numbers, said, winner, decision_id }, row_no)
    const sorted = numbers.toSorted((a, b) => a - b)
    const key = `${field} ${decision_id ?? 0} ${sorted.join(' ')}`
    let dispute = this.#disputes.get(key)
    if (dispute === undefined) {
      dispute = { field, sources: sorted, decision_id: decision_id ?? 0, records: 0, unlisted: 0 }
      this.#disputes.set(key, dispute)
    }
    dispute.records += 1
    if (!isListed && !bySource) dispute.unlisted += 1
  }

  /** False: the values are too long, or too many are listed. */
  #list(
    { field, numbers, said, winner, decision_id }: Omit<Found, 'refs'> & { numbers: number[] },
    row_no: number,
  ): boolean {
    if (said.some((text) => text.length > limits.disagreement_characters)) return false
    const texts = textsOf(said)
    const key = disagreementKey(field, texts)
    let listed = this.#listed.get(key)
    if (listed === undefined) {
      const count = this.#counts[field] ?? 0
      const isFull =
        count >= limits.disagreements_per_field || this.#listed.size >= limits.disagreements_per_compile
      if (isFull && decision_id === null) return false
      this.#counts[field] = count + 1
      listed = { field, texts, options: new Map(), rows: [], decision_id }
      this.#listed.set(key, listed)
    }
    for (const [n, text] of said.entries()) {
      let option = listed.options.get(text)
      if (option === undefined) {
        option = { text, sources: new Set(), wins: 0 }
        listed.options.set(text, option)
      }
      option.sources.add(numbers[n] ?? 0)
    }
    const won = listed.options.get(winner)
    if (won) won.wins += 1
    listed.rows.push(row_no)
    return true
  }
}

const textsOf = (said: readonly string[]) => JSON.stringify([...new Set(said)].sort())

import type { Outage as ContractOutage } from '../src/contract/system/calls.ts'
import type { SupervisorNotice } from '../src/server/platform/supervisor.ts'
import type { RunningNode } from './start-node.ts'
import type { Outage } from './supervise.ts'

type Part = ContractOutage['part']

// Displayed on a page as one line.
const REASON_CHARACTERS = 200

/** Stores the current outages and sends them to the api process after each change and each restart of that process. */
export class Outages {
  readonly #outages = new Map<Part, ContractOutage>()
  #api: RunningNode | undefined

  report(part: Part, outage: Outage | undefined): void {
    if (outage === undefined) this.#outages.delete(part)
    else {
      const reason = outage.reason.replaceAll(/\s+/g, ' ').slice(0, REASON_CHARACTERS)
      this.#outages.set(part, { part, none_left: true, reason, next_start: outage.next_start.toISOString() })
    }
    this.#notify()
  }

  sendTo(api: RunningNode): void {
    this.#api = api
    this.#notify()
  }

  #notify(): void {
    const notice: SupervisorNotice = { outages: [...this.#outages.values()] }
    this.#api?.send(notice)
  }
}

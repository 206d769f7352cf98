import type { Alarm } from '@/lib/async/alarm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { deliver } from './deliver'
import { type Claim, claimDeliveries, dueDeliveries } from './delivery-store'

/** Requests at a time to one receiver, by each instance: what one that hangs takes from the others. */
const SLOTS = 4
/** Longer than an attempt takes. */
const ATTEMPT_MS = 60_000

/** What this instance sends now, of each webhook by itself: none waits for what is done for another. */
export class Slots {
  #taken = new Map<string, Set<Promise<void>>>()
  #filling = new Map<string, Promise<void>>()
  #again = new Set<string>()
  /** Ids of what was found due and not claimed yet. */
  #due = new Map<string, readonly string[]>()

  /** `alarm`: rung when there may be something to wait for. */
  constructor(
    private readonly deps: Deps,
    readonly signal: AbortSignal,
    private readonly alarm: Alarm,
  ) {}

  /** Those whose next delivery begins when one ends. */
  busy(): string[] {
    return [...this.#taken.keys()]
  }

  /** Begins what is due and has a slot. Resolves once that has been looked for after this call. */
  fill(webhookId: string): Promise<void> {
    const running = this.#filling.get(webhookId)
    if (running) {
      this.#again.add(webhookId)
      return running
    }
    const filling = Promise.resolve()
      .then(() => this.#fill(webhookId))
      .catch((error: unknown) => {
        this.deps.log.warn({ webhook: webhookId, error: reasonOf(error) }, 'webhook was not sent')
      })
    this.#filling.set(webhookId, filling)
    return filling
  }

  async #fill(webhookId: string): Promise<void> {
    try {
      do {
        this.#again.delete(webhookId)
        const taken = this.#taken.get(webhookId)?.size ?? 0
        if (this.signal.aborted || taken >= SLOTS) return
        const claim = () => this.#claim(webhookId, taken)
        for (const one of await withOwnBudget({ ms: ATTEMPT_MS }, claim)) this.#take(one)
      } while (this.#again.has(webhookId))
    } finally {
      this.#filling.delete(webhookId) // in the step that found no further call
    }
  }

  /** Of what was found due before; as long as slots are free, of what is due now. */
  async #claim(webhookId: string, taken: number): Promise<Claim[]> {
    const claims = await this.#claimOf(webhookId, this.#due.get(webhookId) ?? [], taken)
    const busy = taken + claims.length
    if (busy >= SLOTS) return claims
    const due = await dueDeliveries(this.deps.db, webhookId, { slots: SLOTS, taken: busy })
    return [...claims, ...(await this.#claimOf(webhookId, due, busy))]
  }

  async #claimOf(webhookId: string, due: readonly string[], taken: number): Promise<Claim[]> {
    this.#due.delete(webhookId)
    if (due.length === 0) return []
    const room = { slots: SLOTS, taken }
    const claims = await claimDeliveries(this.deps.db, webhookId, due, room)
    const last = Math.max(...claims.map(({ id }) => due.indexOf(id)))
    if (claims.length > 0) this.#due.set(webhookId, due.slice(last + 1))
    return claims
  }

  #take(claim: Claim): void {
    const { webhookId } = claim
    const taken = this.#taken.get(webhookId) ?? new Set()
    this.#taken.set(webhookId, taken)
    const attempt = withOwnBudget({ ms: ATTEMPT_MS }, () => deliver(this.deps, claim))
      .catch((error: unknown) => {
        const facts = { delivery: claim.id, error: reasonOf(error) }
        this.deps.log.warn(facts, 'webhook attempt was broken off')
      })
      .finally(() => {
        taken.delete(attempt)
        if (taken.size === 0) this.#taken.delete(webhookId)
        void this.fill(webhookId).then(() => this.#taken.has(webhookId) || this.alarm.ring())
      })
    taken.add(attempt)
  }

  /** Resolves once what is in flight has ended. */
  async ended(): Promise<void> {
    while (this.#filling.size + this.#taken.size > 0) {
      const taken = [...this.#taken.values()].flatMap((all) => [...all])
      await Promise.all([...this.#filling.values(), ...taken])
    }
  }
}

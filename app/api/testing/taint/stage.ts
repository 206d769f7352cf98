import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows as select } from '@/lib/db/sql'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { Deps } from '@/lib/deps'
import { startExports } from '@/lib/export/start-exports'
import { createLog } from '@/lib/log'
import { definePolicy } from '@/lib/policies/define-policy'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import type { Policy, TaintActor } from './actor'
import { giveCredentials } from './credentials'
import { filesOfWorld, PLUGIN } from './plugin'
import { type Answer, type Asked, handlersOf, requestsTo } from './requests-to'
import { restoreTables, saveTables } from './saved-tables'
import { type Rows, textToken, WORLD } from './world'

/** The number of the token in the conditions of a saved view. */
export const OF_VIEW = 29_999

export type State = { rows: Rows; trash: Kept[]; versions: Kept[] }
/** A record as it was. */
export type Kept = { entity: string; record: JsonObject; batch?: string }

const send = requestsTo({})

/** The installed world: sends requests to the handlers of all routes, and starts again as it was. */
export class Stage {
  readonly logged: string[] = []
  private admin = ''

  constructor(readonly deps: Deps) {
    deps.log = createLog('trace', { write: (line) => void this.logged.push(line) })
  }

  readonly send = send

  /** Whether the route only reads. */
  isReading(asked: Asked): boolean {
    const handler = handlersOf(asked)?.handlers[asked.method]
    return asked.method === 'GET' || handler?.spec?.readOnly === true
  }

  /** Throws unless an administrator may do it. */
  async asAdmin(asked: Asked): Promise<Answer> {
    const answer = await this.send({ ...asked, headers: { 'x-engine-apikey': this.admin } })
    expect(answer.status, `${asked.path}: ${answer.text.slice(0, 600)}`).toBeLessThan(300)
    return answer
  }

  /** Installs the plugin, and leaves something in the trash, in histories and among saved views. */
  async build(): Promise<void> {
    this.admin = await testKey(this.deps, ['ADMIN'])
    const body = uploadOf(await archiveOf(filesOfWorld()))
    await this.asAdmin({ method: 'POST', path: '/api/plugins/install/zip', body })
    // So that stories can follow from the beginning.
    await this.deps.db.execute(sql`delete from engine.record_events where kind = 'begin'`)
    await this.leaveTraces()
    await saveTables(this.deps.db)
  }

  private async leaveTraces(): Promise<void> {
    let token = 30_000
    const { rows } = await this.state()
    const orders = rows.Order ?? []
    const patch = (id: unknown, body: object) =>
      this.asAdmin({ method: 'PATCH', path: `/api/entities/Order/${id}`, body })
    for (const { orderId } of orders.slice(0, 8))
      await patch(orderId, { orderSecret: textToken(++token), orderHint: textToken(++token) })
    for (const { orderId } of orders.slice(4, 10))
      await patch(orderId, { orderCustomer: orders[3]?.orderCustomer, orderState: 'open' })
    const where = (field: string, value: unknown) => [{ field, operator: 'eq', value }]
    const batch = (method: string, entity: string, body: object) => {
      const path = `/api/entities/${entity}/batch?undo=7d`
      return this.asAdmin({ method, path, body: { entity, ...body } })
    }
    for (const one of [...orders.slice(12, 14), ...orders.slice(16)])
      await batch('DELETE', 'Order', { query: where('orderSecret', one.orderSecret) })
    const [sold] = rows.Stock ?? []
    await batch('DELETE', 'Stock', { query: where('stockOrder', 1) })
    const set = { stockPlace: textToken(++token) }
    await batch('PATCH', 'Stock', { query: where('stockBranch', sold?.stockBranch), set })
    const params = `filter=${JSON.stringify(where('orderSecret', textToken(OF_VIEW)))}&sort=orderAmount:asc`
    const view = { entity: 'Order', name: 'Of a secret', params, visibility: 'everyone' }
    await this.asAdmin({ method: 'POST', path: '/api/views', body: view })
  }

  /** What is stored now. */
  async state(): Promise<State> {
    const { db } = this.deps
    const found: Rows = {}
    for (const { name } of WORLD) {
      const table = sql.identifier(name.toLowerCase())
      const list = await select<{ row: JsonObject }>(
        db,
        sql`select (to_jsonb(t) - '$extra') || coalesce("$extra", '{}') as row from entities.${table} t`,
      )
      found[name] = list.map(({ row }) => row)
    }
    const trash = await select<Kept>(
      db,
      sql`select entity, data as record, batch_id::text as batch from engine.trash_records r join engine.trash_batches b on b.id = r.batch_id`,
    )
    const versions = await select<Kept>(
      db,
      sql`select entity, data as record from engine.record_versions where data is not null
          union all select entity, after from engine.record_versions where after is not null
          union all select entity, coalesce(after, before) from engine.record_events where kind <> 'many'`,
    )
    return { rows: found, trash: trash.map(whole), versions: versions.map(whole) }
  }

  /** The world as it was, with these policies and these callers, who get their credentials. */
  async begin(policies: readonly Policy[], actors: readonly TaintActor[]): Promise<void> {
    const { db } = this.deps
    await restoreTables(db)
    await giveCredentials(this.deps, actors)
    for (const policy of policies)
      await definePolicy(db, { priority: 0, ...policy } as PolicyDefinition, PLUGIN)
  }

  /** Whether a caller without a credential may ask for it, as the route says. */
  isForGuests(asked: Asked): boolean {
    const spec = handlersOf(asked)?.handlers[asked.method]?.spec
    return spec?.guests === true || spec?.access === 'public' || spec?.access === 'optional'
  }

  /** Waits for the files of exports. */
  finishExports = (): Promise<void> => startExports(this.deps)
}

const whole = ({ record, ...rest }: Kept): Kept => {
  const { $extra, ...declared } = record
  return { ...rest, record: { ...declared, ...(($extra as JsonObject | null) ?? {}) } }
}

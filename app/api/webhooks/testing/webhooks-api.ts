import { afterEach, beforeEach } from 'vitest'
import { deps } from '@/app/api/entities/[entityName]/changes/testing/followed'
import type { Handler } from '@/lib/http/route'
import { openRemote } from '@/lib/remote/open-remote'
import { call, testKey } from '@/lib/testing/request'
import { claimDeliveries, dueDeliveries } from '@/lib/webhooks/delivery-store'
import { runWebhooks } from '@/lib/webhooks/run-webhooks'
import * as ofDelivery from '../[id]/deliveries/[deliveryId]/redeliver/route'
import * as deliveries from '../[id]/deliveries/route'
import * as redeliver from '../[id]/redeliver/route'
import * as rotate from '../[id]/rotate-secret/route'
import * as byId from '../[id]/route'
import * as ofTest from '../[id]/test/route'
import * as all from '../route'

type Headers = Record<string, string>
let admin: Headers

beforeEach(async () => {
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

/** A key of an administrator that may do no more than this. */
export const scopedKey = async (...scopes: string[]): Promise<Headers> => ({
  authorization: `Bearer ${await testKey(deps, ['ADMIN'], scopes)}`,
})

/** Receivers on these hosts of this machine may be sent to; one that does not answer is waited for as long. */
export const allow = (hosts: string[], timeoutMs = 5_000) => {
  deps.remote = openRemote({ allowedHosts: hosts, timeoutMs })
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** An instance that sends, until the end of the test. */
export function startSending(): () => Promise<void> {
  const stop = new AbortController()
  const done = runWebhooks({ ...deps }, stop.signal)
  const end = async () => {
    stop.abort()
    await done
  }
  stops.push(end)
  return end
}

/** What an instance with so many slots claims. */
export const claimDue = async (id: string, slots: number) =>
  claimDeliveries(deps.db, id, await dueDeliveries(deps.db, id, { slots }), { slots })

const ask = (
  routes: object,
  method: string,
  path: string,
  { body, params, as = admin }: { body?: unknown; params?: Record<string, string>; as?: Headers },
) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, path: `/api/webhooks${path}`, body, params, headers: as },
  })

export const create = (body: object, as?: Headers) => ask(all, 'POST', '', { body, as })

/** A webhook of the entity `Book` for a receiver. */
export async function made(url: string, more: object = {}, as?: Headers) {
  const body = { name: `to ${crypto.randomUUID()}`, url, entities: ['Book'], ...more }
  const { status, body: answer } = await create(body, as)
  if (status !== 201) throw new Error(JSON.stringify(answer))
  return answer.data[0] as { id: string; secret: string }
}

export const list = (as?: Headers) => ask(all, 'GET', '', { as })
export const read = async (id: string) =>
  (await ask(byId, 'GET', `/${id}`, { params: { id } })).body.data[0]
export const change = (id: string, body: object, as?: Headers) =>
  ask(byId, 'PATCH', `/${id}`, { body, params: { id }, as })
export const remove = (id: string) => ask(byId, 'DELETE', `/${id}`, { params: { id } })
export const sendTest = async (id: string) =>
  (await ask(ofTest, 'POST', `/${id}/test`, { params: { id } })).body.data[0]
export const rotateSecret = async (id: string) =>
  (await ask(rotate, 'POST', `/${id}/rotate-secret`, { params: { id } })).body.data[0]
export const log = (id: string, query = '', as?: Headers) =>
  ask(deliveries, 'GET', `/${id}/deliveries?${query}`, { params: { id }, as })
export const again = (id: string, deliveryId: string) =>
  ask(ofDelivery, 'POST', `/${id}/deliveries/${deliveryId}/redeliver`, {
    params: { id, deliveryId },
  })
export const allAgain = (id: string, body: object) =>
  ask(redeliver, 'POST', `/${id}/redeliver`, { params: { id }, body })

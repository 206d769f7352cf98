import { type Call, type Case, get, send } from './cases'
import { request } from './load'
import type { Server } from './servers'

const PERSON = '/api/entities/Person'

/** A key with a role of its own, which has one row rule, on an indexed field, and hides three fields. */
export async function makeClerk(engine: Server): Promise<string> {
  await made(engine, send('POST', '/api/roles', { name: 'Clerk' }))
  const policy = {
    name: 'Clerks read people',
    principals: ['Clerk'],
    entities: ['Person'],
    actions: ['read'],
    where: [{ field: 'joined', operator: 'gte', value: '2000-01-01T00:00:00Z' }],
    fields: { except: ['email', 'score', 'active'] },
  }
  await made(engine, send('POST', '/api/policies', policy))
  const { apiKey } = await made(
    engine,
    send('POST', '/api/api-keys', { name: 'clerk', roles: ['Clerk'] }),
  )
  return String(apiKey)
}

async function made(engine: Server, call: Call): Promise<Record<string, unknown>> {
  const response = await request(engine.url, call)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()).data[0]
}

/** Against the same requests of an administrator, for whom no rule applies; values that never come again. */
export function rightsCases(key: string): Case[] {
  const both = (path: string) => ({ engine: { ...get(path), key }, bare: get(path) })
  const least = (n: number) => `id:gte:-${n}`
  return [
    {
      name: 'rights-page',
      title:
        'page sorted, total, with a row rule and three hidden fields, never the same; ratio to the same without',
      call: (n) => both(`${PERSON}?sort=joined:desc&filter=${least(n)}`),
      equal: 'status',
      isOwnFloor: true,
    },
    {
      name: 'rights-filters',
      title: 'two filters, total, with the rule',
      call: (n) => both(`${PERSON}?filter=city:eq:City%20${n % 100},age:gte:50,${least(n)}`),
      equal: 'status',
      isOwnFloor: true,
    },
    {
      name: 'rights-get',
      title: 'one record by id, with the rule',
      call: (n) => both(`${PERSON}/${1 + ((n * 7919) % 100_000)}`),
      equal: 'status',
      isOwnFloor: true,
    },
  ]
}

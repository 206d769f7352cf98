import { type Call, type Case, get, send } from './cases'
import { PEOPLE, person } from './people'
import { randomInteger } from './random'
import { momentOf } from './read-cases'
import type { Server } from './servers'
import { createMember, updateMember } from './write-cases'

/** Another product with the same rows. */
export type Peer = Server & { key: string; name: string }

const PERSON = '/api/entities/Person'
const ITEMS = '/items/person'

/** What both can do; `bare` is Directus here. */
export function directusCases(key: string): Case[] {
  const withKey = (call: Call): Call => ({ ...call, key })
  const search = (query: Record<string, unknown>) => {
    const values = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    return withKey(get(`${ITEMS}?${new URLSearchParams(values)}`))
  }
  return [
    {
      name: 'directus-get',
      title: 'one record by id',
      call: (n) => {
        const id = 1 + randomInteger(n, PEOPLE)
        return { engine: get(`${PERSON}/${id}`), bare: withKey(get(`${ITEMS}/${id}`)) }
      },
      equal: 'peer',
    },
    {
      name: 'directus-50',
      title: '50 records after an id',
      call: (n) => {
        const id = randomInteger(n, PEOPLE)
        return {
          engine: get(`${PERSON}?filter=id:gt:${id}&sort=id:asc&size=50&count=none`),
          bare: search({ filter: { id: { _gt: id } }, sort: 'id', limit: 50 }),
        }
      },
      equal: 'peer',
    },
    {
      name: 'directus-filters',
      title: 'two filters, total',
      call: (n) => {
        const [city, joined] = [`City ${randomInteger(n, 100)}`, momentOf(n + 0.5)]
        const filter = { _and: [{ city: { _eq: city } }, { joined: { _gte: joined } }] }
        return {
          engine: get(`${PERSON}?filter=city:eq:${encodeURIComponent(city)},joined:gte:${joined}`),
          bare: search({ filter, sort: 'id', limit: 10, meta: 'filter_count' }),
        }
      },
      equal: 'peer',
    },
    {
      name: 'directus-create',
      title: 'create a record',
      call: (n) => ({
        engine: createMember(n).engine,
        bare: withKey(send('POST', ITEMS, person(PEOPLE + n))),
      }),
      equal: 'status',
    },
    {
      name: 'directus-update',
      title: 'update a record',
      call: (n) => {
        const change = { age: n % 90, active: n % 2 === 0 }
        const id = 1 + randomInteger(n, PEOPLE)
        return {
          engine: updateMember(n).engine,
          bare: withKey(send('PATCH', `${ITEMS}/${id}`, change)),
        }
      },
      equal: 'status',
    },
  ]
}

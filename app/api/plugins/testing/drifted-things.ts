import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { call } from '@/lib/testing/request'
import { POST } from '../[id]/drift/resolve/route'
import { GET } from '../[id]/drift/route'
import { deps, installed, integer, text, version } from './versions'

export const properties = [text('name'), integer('price')]
export const records = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 10, name: 'Fork', price: 1 },
]
const PLUGIN = 'com.example.shop'

export const drift = (query = '', as: string | string[] = 'ADMIN') =>
  call(deps, GET, { path: `/api/plugins/${PLUGIN}/drift${query}`, params: { id: PLUGIN }, as })

export const resolve = (action: string, keys: string[], as: string | string[] = 'ADMIN') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/${PLUGIN}/drift/resolve`,
    params: { id: PLUGIN },
    body: { entity: 'Thing', keys, action },
    as,
  })

/** Of the plugin's records one is edited, one deleted and one there beside them. */
beforeEach(async () => {
  await installed(version({ properties, records }))
  await deps.db.execute(
    sql`update entities.thing set price = 9, "$extra" = '{"color": "blue", "mine": true}' where id = 1`,
  )
  await deps.db.execute(sql`delete from entities.thing where id = 2`)
  await deps.db.execute(sql`insert into entities.thing (id, name) values (11, 'Own')`)
})

export const EDITED = {
  entity: 'Thing',
  key: '1',
  change: 'edited',
  fields: [
    { field: 'price', base: 3, ours: 9 },
    { field: 'color', base: 'red', ours: 'blue' },
    { field: 'mine', base: null, ours: true },
  ],
}

import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import { installAsPlanned } from './install-as-planned'
import { deps, integer, text, type Version, version } from './versions'

export const PROPERTIES = [text('name'), integer('price'), text('note')]
export const THREE = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 3, name: 'Fork', price: 1 },
]
export const table = tableSql({ schema: 'entities', name: 'thing' })
export const edit = (set: string, id: number) =>
  deps.db.execute(sql`update ${table} set ${sql.raw(set)} where id = ${id}::int`)
export const remove = (...ids: number[]) =>
  deps.db.execute(sql`delete from ${table} where id in (${sql.raw(ids.join(','))})`)
export const next = (records: object[], more: Version = {}) =>
  version({ properties: PROPERTIES, ...more, records })
export const upgrade = (records: object[], query = '', more: Version = {}) =>
  installAsPlanned(deps, next(records, more), query)
export const CHANGED = [
  { id: 1, name: 'Mug', price: 4, color: 'blue' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 3, name: 'Spoon', price: 1 },
]

import { call } from '@/lib/testing/request'
import { GET as DRIFT } from '../[id]/drift/route'
import { deps, integer, text, version } from './versions'

export const RECORDS = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 3, name: 'Fork', price: 1 },
]
export const TOKEN = text('token', { default: 'uuid', unique: true, required: true })
export const SINCE = { name: 'since', type: 'date', meta: { default: 'now' } }
/** With two fields whose values are generated for the records that are there. */
export const generated = (records: object[] = RECORDS) =>
  version({ properties: [text('name'), integer('price'), TOKEN, SINCE], records })

/** What was changed of the plugin's records. */
export async function drift(id = 'com.example.shop') {
  const path = `/api/plugins/${id}/drift`
  return (await call(deps, DRIFT, { path, params: { id }, as: 'ADMIN' })).body.data
}

import { integer, text, version } from './versions'

export const RECORDS = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 3, name: 'Fork', price: 1 },
]
export const TOKEN = text('token', { default: 'uuid', unique: true, required: true })
const SINCE = { name: 'since', type: 'date', meta: { default: 'now' } }
/** With two fields whose values are generated for the records that are there. */
export const generated = (records: object[] = RECORDS) =>
  version({ properties: [text('name'), integer('price'), TOKEN, SINCE], records })

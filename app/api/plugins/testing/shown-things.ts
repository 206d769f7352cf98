import { GET as COLUMNS } from '@/app/api/entities/[entityName]/columns/route'
import { call } from '@/lib/testing/request'
import { deps, text, version } from './versions'

// A plugin of things whose definitions say how people see them.

export const ID = 'com.example.shop'
export const records = [{ id: 1, name: 'Cup', status: 'new', weight: 1200, due: '2026-01-31' }]
export const CHOICES = [{ value: 'new', label: 'Just in', color: 'green' }, 'old']

const PLAIN = [
  text('name'),
  text('status', { enum: ['new', 'old'] }),
  { name: 'weight', type: 'integer' },
  { name: 'due', type: 'date' },
]
export const SHOWN = [
  text('name', { group: 'Main', hint: 'As it is printed' }),
  text('status', { enum: CHOICES }),
  { name: 'weight', type: 'integer', meta: { unit: 'g', numberFormat: { grouping: false } } },
  { name: 'due', type: 'date', meta: { hidden: { list: true } } },
]
export const DISPLAY = { title: 'name', columns: ['status', 'name'], form: 'calendar', date: 'due' }
export const plain = () => version({ properties: PLAIN, records })
export const shown = (display: object = DISPLAY) =>
  version({ properties: SHOWN, entity: { display }, records })

export const params = { entityName: 'Thing' }
export const columns = async (as = 'ADMIN') =>
  (await call(deps, COLUMNS, { path: '/api/entities/Thing/columns', params, as })).body

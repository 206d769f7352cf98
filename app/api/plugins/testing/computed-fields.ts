import { recordsOf } from './records'
import { deps, integer, text, version } from './versions'

export const decimal = (name: string, meta: object = {}) => ({ name, type: 'decimal', meta })
export const total = (computed: string, meta: object = {}) =>
  decimal('total', { computed, indexed: true, ...meta })
export const label = (computed: string) =>
  text('label', { computed, searchable: { weight: 'B', language: 'english' } })
export const sources = [integer('n'), decimal('price'), text('first'), text('last')]
export const things = recordsOf(deps, 'Thing')

const records = [
  { id: 1, n: 3, price: '1.10', first: 'Ada', last: 'Byron' },
  { id: 2, n: 0, first: 'Bob' },
]
export const v1 = (...computed: object[]) =>
  version({ properties: [...sources, ...computed], records })

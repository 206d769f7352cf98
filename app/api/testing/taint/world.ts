import type { Json, JsonObject } from '@/lib/values/json'

/** The entities of the test, and records in which each value is a token: wherever one appears, it says whose it is. */

/** How the model compares a field, as `lib/testing/search-model.ts` calls it. */
export type WorldKind = 'text' | 'number' | 'date' | 'json'
export type WorldField = {
  name: string
  kind: WorldKind
  /** As in a schema; none for a field that is not declared. */
  property?: JsonObject
  /** The entity whose key it holds. */
  refersTo?: string
}
export type WorldEntity = {
  name: string
  keys: readonly string[]
  fields: readonly WorldField[]
  definition: JsonObject
}

const declared = (name: string, kind: WorldKind, type: string, meta: JsonObject = {}) => ({
  ...{ name, kind },
  property: { name, type, meta },
})
const reference = (
  name: string,
  type: string,
  refersTo: string,
  field: string,
  rules: JsonObject = {},
): WorldField => ({
  ...{ name, refersTo, kind: type === 'string' ? 'text' : 'number' },
  property: { name, type, reference: { entity: refersTo, field, ...rules } },
})
const key = (name: string, type: string, strategy = 'Fixed') => ({ key: name, type, strategy })

/** On a cluster: what local records refer to. Stock is distributed there. */
const ON_ALL_NODES = { distribution: 'reference' }

export const WORLD: readonly WorldEntity[] = [
  {
    name: 'Region',
    keys: ['regionCode'],
    fields: [
      declared('regionCode', 'text', 'string', { maxLength: 40 }),
      declared('regionTitle', 'text', 'string', { unique: true }),
      declared('regionArea', 'number', 'integer', { indexed: true }),
    ],
    definition: { ...ON_ALL_NODES, pks: [key('regionCode', 'string')] },
  },
  {
    name: 'Branch',
    keys: ['branchId'],
    fields: [
      declared('branchId', 'number', 'integer'),
      declared('branchTitle', 'text', 'string', { searchable: true, required: true }),
      reference('branchRegion', 'string', 'Region', 'regionCode'),
      declared('branchChief', 'text', 'string'),
      declared('branchBudget', 'number', 'decimal'),
      declared('branchNotes', 'json', 'json'),
    ],
    definition: { ...ON_ALL_NODES, pks: [key('branchId', 'number')] },
  },
  {
    name: 'Customer',
    keys: ['customerMail'],
    fields: [
      declared('customerMail', 'text', 'string', { maxLength: 40 }),
      declared('customerTitle', 'text', 'string'),
      { name: 'customerPhone', kind: 'json' },
      { name: 'customerDebt', kind: 'json' },
      { name: 'customerPlaces', kind: 'json' },
    ],
    definition: { ...ON_ALL_NODES, pks: [key('customerMail', 'string')] },
  },
  {
    name: 'Order',
    keys: ['orderId'],
    fields: [
      declared('orderId', 'number', 'integer'),
      declared('orderNumber', 'text', 'string', { unique: true }),
      reference('orderBranch', 'integer', 'Branch', 'branchId'),
      reference('orderCustomer', 'string', 'Customer', 'customerMail'),
      declared('orderAmount', 'number', 'decimal', { indexed: true }),
      declared('orderPlaced', 'date', 'date'),
      declared('orderSecret', 'text', 'text', { searchable: true }),
      declared('orderClerk', 'text', 'string'),
      declared('orderState', 'text', 'string', { indexed: true }),
      { name: 'orderHint', kind: 'json' },
      { name: 'orderMargin', kind: 'json' },
    ],
    // Only records in one place have a history and events.
    definition: {
      ...{ history: true, events: true, distribution: 'local' },
      pks: [key('orderId', 'number', 'AutoIncrement')],
    },
  },
  {
    name: 'Stock',
    keys: ['stockBranch', 'stockSku'],
    fields: [
      reference('stockBranch', 'integer', 'Branch', 'branchId', { onDelete: 'cascade' }),
      declared('stockSku', 'text', 'string', { maxLength: 40 }),
      declared('stockCost', 'number', 'integer'),
      declared('stockPlace', 'text', 'string'),
      declared('stockOrder', 'number', 'integer'),
    ],
    definition: { pks: [key('stockBranch', 'number'), key('stockSku', 'string')] },
  },
]

export const entityOf = (name: string): WorldEntity => {
  const found = WORLD.find((entity) => entity.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new Error(`There is no entity ${name}`)
  return found
}

export const fieldOf = (entity: WorldEntity, name: string): WorldField | undefined =>
  entity.fields.find((field) => field.name === name)

/** `persistenceId` of a record. */
export function idOf({ keys }: WorldEntity, record: JsonObject): string {
  const [only = ''] = keys
  if (keys.length === 1) return String(record[only])
  const parts = Object.fromEntries(keys.map((name) => [name, record[name] ?? null]))
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

export const PEOPLE = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
export const STATES = ['open', 'paid', 'sent']

/** The first number of tokens that requests write; those of the world are smaller. */
export const FIRST_WRITTEN = 50_000

const five = (n: number) => String(n).padStart(5, '0')
export const textToken = (n: number) => `zq${five(n)}x`
export const numberToken = (n: number) => Number(`7316${five(n)}`)
/** In the 19th century, in which nothing else happened. */
const dateToken = (n: number) => new Date(Date.UTC(1801, 0, 1 + n)).toISOString().slice(0, 10)

// Identifiers and digests, which are hexadecimal, may hold the digits of a number that nobody wrote.
const TOKENS = /zq\d{5}x|(?<![\da-f])7316(?:00\d{3}|[3-9]\d{4})(?![\da-f])|(?<!\d)18\d\d-\d\d-\d\d/g
/** Those in a text. */
export const tokensIn = (text: string): Set<string> => new Set(text.match(TOKENS) ?? [])

let used = 0
const next = () => ++used
const text = () => textToken(next())
const number = () => numberToken(next())
const several = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

export type Rows = Record<string, JsonObject[]>

/** The records that the plugin brings. */
export function worldRows(): Rows {
  used = 0
  const regions = several(3, () => ({
    ...{ regionCode: text(), regionTitle: text(), regionArea: number() },
  }))
  const branches = several(5, (n) => ({
    ...{ branchId: number(), branchTitle: text(), branchBudget: number() },
    branchRegion: n === 4 ? null : (at(regions, n).regionCode as Json),
    branchChief: at(PEOPLE, n),
    branchNotes: { inside: text(), list: [text(), text()] },
  }))
  const customers = several(6, (n) => ({
    ...{ customerMail: text(), customerTitle: text(), customerPhone: text() },
    ...(n % 2 ? { customerDebt: number(), customerPlaces: { home: text() } } : {}),
  }))
  const orders = several(18, (n) => ({
    orderNumber: text(),
    orderBranch: n === 17 ? null : (at(branches, n).branchId as Json),
    orderCustomer: n % 7 === 6 ? null : (at(customers, n * 5).customerMail as Json),
    ...{ orderAmount: number(), orderPlaced: dateToken(next()), orderSecret: text() },
    ...{ orderClerk: at(PEOPLE, n), orderState: at(STATES, Math.floor(n / 2)) },
    ...(n % 3 ? { orderHint: text() } : {}),
    ...(n % 4 ? { orderMargin: number() } : {}),
  }))
  const stock = several(9, (n) => ({
    ...{ stockBranch: at(branches, n).branchId as Json, stockSku: text() },
    ...{ stockCost: number(), stockPlace: text(), stockOrder: n % 4 },
  }))
  return { Region: regions, Branch: branches, Customer: customers, Order: orders, Stock: stock }
}

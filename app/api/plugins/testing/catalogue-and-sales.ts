import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from './plugin-api'
import { integer, text } from './versions'

/** Two plugins that need each other: reviews are by customers, orders of products. */
export const CATALOGUE = 'com.example.catalogue'
export const SALES = 'com.example.sales'

const UPSERT = { insertDuplicate: 'Upsert' }
const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'string' }]
const refers = (name: string, entity: string) => text(name, { reference: { entity, field: 'id' } })
const named = (id: string, version: number) => ({ id, name: id, version: `${version}.0.0` })

const review = (number: number, stars: number) => ({
  product: 'cup',
  customer: 'ann',
  words: `review ${number}`,
  stars,
})

const REVIEW = {
  name: 'Review',
  properties: [
    refers('product', 'Product'),
    refers('customer', 'Customer'),
    text('words'),
    integer('stars'),
  ],
}

const PRODUCT_FIELDS = [
  [text('name')],
  [{ ...text('title'), renamedFrom: 'name' }],
  [{ ...text('title'), renamedFrom: 'name' }, integer('price', { default: 1 })],
]
const REVIEWS = [[], [review(1, 3), review(2, 4)], [review(1, 3), review(2, 5), review(3, 1)]]

/** Renames a field in its second version, and brings reviews; fills a new field in its third. */
export function catalogue(version: 1 | 2 | 3): Files {
  const title = version === 1 ? 'name' : 'title'
  const products = ['cup', 'dish'].map((id) => ({ id, [title]: `${id} ${version}` }))
  return pluginFiles(
    {
      EngineSchemas: {
        files: {
          'Product.json': { name: 'Product', properties: PRODUCT_FIELDS[version - 1] },
          'Review.json': REVIEW,
        },
      },
      EngineEntities: {
        files: {
          'Product.json': { name: 'Product', pks: FIXED, ...UPSERT },
          'Review.json': { name: 'Review', ...UPSERT },
        },
      },
      Product: { files: { 'data.json': products } },
      Review: { files: { 'data.json': REVIEWS[version - 1] } },
    },
    named(CATALOGUE, version),
  )
}

const order = (number: number) => ({ product: 'cup', customer: 'ann', note: `order ${number}` })
const ORDER = [refers('product', 'Product'), refers('customer', 'Customer'), text('note')]
const PAID = { name: 'paid', type: 'boolean', meta: { default: false } }

const salesSchemas = (version: 1 | 2 | 3) => [
  { name: 'Customer', properties: [text('email', version === 1 ? {} : { unique: true })] },
  version === 1
    ? { name: 'Order', properties: ORDER }
    : { name: 'Purchase', properties: version === 2 ? ORDER : [...ORDER, PAID] },
  ...(version === 1
    ? []
    : [{ name: 'Coupon', additionalProperties: false, properties: [text('code')] }]),
]

const LATER = {
  Coupon: { files: { 'data.json': [{ code: 'SPRING' }] } },
}

/** Renames an entity and the folder of its data in its second version, and makes a field unique, in one file of schemas. */
export function sales(version: 1 | 2 | 3): Files {
  const isFirst = version === 1
  const name = isFirst ? 'Order' : 'Purchase'
  const renamed = isFirst ? {} : { renamedFrom: 'Order' }
  return pluginFiles(
    {
      EngineSchemas: { files: { 'all.json': salesSchemas(version) } },
      EngineEntities: {
        files: {
          'Customer.json': { name: 'Customer', pks: FIXED, ...UPSERT },
          'orders.json': { name, ...UPSERT, ...renamed },
          ...(isFirst ? {} : { 'Coupon.json': { name: 'Coupon', ...UPSERT } }),
        },
      },
      Customer: {
        files: { 'data.json': ['ann', 'bob'].map((id) => ({ id, email: `${id}@example.com` })) },
      },
      [name]: { files: { 'data.json': [1, 2, 3, 4, 5].map(order) } },
      ...(isFirst ? {} : LATER),
    },
    named(SALES, version),
  )
}

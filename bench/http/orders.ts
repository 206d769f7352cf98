import type { Sql } from 'postgres'
import type { JsonObject } from '@/lib/values/json'
import { writeZip } from '@/scripts/samples/write-zip'
import { install } from './data'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

export const ORDERS = 100_000
const ITEMS_AN_ORDER = 5
/** Amounts of items are spread evenly from 0 up to it. */
export const MAX_AMOUNT = 1000

const ORDER: JsonObject = {
  name: 'Order',
  properties: [
    { name: 'id', type: 'bigint', meta: { required: true } },
    { name: 'customer', type: 'string' },
    { name: 'placed', type: 'datetime', meta: { indexed: true } },
    { name: 'total', type: 'double' },
  ],
}

const ITEM: JsonObject = {
  name: 'Item',
  properties: [
    { name: 'id', type: 'bigint', meta: { required: true } },
    {
      name: 'order',
      type: 'bigint',
      meta: { indexed: true, reference: { entity: 'Order', field: 'id', inverse: 'items' } },
    },
    { name: 'product', type: 'string' },
    { name: 'amount', type: 'double', meta: { indexed: true } },
  ],
}

/** Installs orders and their items; the records come from outside, which is quicker. */
export async function makeOrders(engine: Server, sql: Sql): Promise<void> {
  const archive = await writeZip({
    'engineplugin.json': { id: 'com.example.orders', name: 'Orders', version: '1.0.0' },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/Order.json': { name: 'Order' },
    'EngineEntities/Item.json': { name: 'Item' },
    'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
    'EngineSchemas/Order.json': ORDER,
    'EngineSchemas/Item.json': ITEM,
  })
  await install(engine, await archiveUpload(archive))
  await sql`
    insert into entities."order" (id, customer, placed, total)
    select n, 'Customer ' || n % 1000, timestamptz '2020-01-01Z' + n::bigint * 7919 % 100003 * interval '1 minute', n / 7.0
    from generate_series(1, ${ORDERS}::int) as n`
  await sql`
    insert into entities.item (id, "order", product, amount)
    select n, 1 + n % ${ORDERS}::int, 'Product ' || n % 5000, n::bigint * 7919 % 500009 * ${MAX_AMOUNT}::float8 / 500009
    from generate_series(1, ${ORDERS * ITEMS_AN_ORDER}::int) as n`
  await sql`vacuum (analyze) entities."order", entities.item`
}

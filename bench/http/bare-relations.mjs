import { bodyOf, list, pageOf } from './bare-json.mjs'

const ORDER = 'o.id, o.customer, o.total'

/** Routes that read orders and items as one would write it by hand, each by one statement; as `reads`. */
export function relations(first) {
  const expand = `select ${list(`select ${ORDER}, i.items from (
      select * from entities."order" where id >= $1 order by id limit 10) o
    cross join lateral (select coalesce(json_agg(r), '[]') as items from (
      select id, product, amount from entities.item where "order" = o.id order by id limit 5) r) i
    order by o.id`)} as data`
  const some = pageOf(
    ORDER,
    'entities."order" o',
    'exists (select from entities.item i where i."order" = o.id and i.amount > $1)',
    'o.placed desc, o.id desc',
  )
  return {
    '/orders/expand': async (query) => {
      const { data } = await first(expand, [query.get('from')])
      return `{"data":${data}}`
    },
    '/orders/some': async (query) => bodyOf(await first(some, [query.get('amount')])),
  }
}

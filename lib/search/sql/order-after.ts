import { type SQL, sql } from 'drizzle-orm'
import { type OrderPart, type OrderTerm, termsSql } from '@/lib/search/order'
import type { Place } from '@/lib/search/resolved'
import { typedSql } from '@/lib/search/sql-terms'

/**
 * What comes after a place, in at most two parts: records that have a value of the first term, found
 * from the place on where an index is in this order, and after them those that have none.
 */
export function partsAfter(terms: OrderTerm[], place: Place): OrderPart[] {
  const [first, ...rest] = terms
  const [at, ...others] = place
  if (!first || at === undefined) throw new Error('An order lacks its terms')
  const isEmpty = sql`${first.value} is null`
  if (at === null)
    return [{ where: sql`${isEmpty} and ${afterSql(rest, others)}`, order: termsSql(rest) }]
  const filled = [{ ...first, nullable: false }, ...rest]
  const parts = [{ where: filledAfter(filled, place), order: termsSql(filled) }]
  // With nothing to follow the first term, which is the key then, it is not null.
  return first.nullable ? [...parts, { where: isEmpty, order: termsSql(rest) }] : parts
}

/** One comparison of rows where it can be, for that is what an index on all of them understands. */
function filledAfter(terms: OrderTerm[], place: Place): SQL {
  const [first, ...rest] = terms
  const [at, ...others] = place
  if (!first || at === null || at === undefined) throw new Error('The first term has no value')
  const isUniform = terms.every((one) => !one.nullable && one.direction === first.direction)
  if (!isUniform) {
    const isPast = sql`${first.value} ${BEYOND[first.direction]} ${typedSql(first.type, at)}`
    const isNotBefore = sql`${first.value} ${BEYOND[first.direction]}= ${typedSql(first.type, at)}`
    return sql`(${isNotBefore} and (${isPast} or ${afterSql(rest, others)}))`
  }
  const values = sql.join(
    terms.map(({ value }) => value),
    sql`, `,
  )
  const bounds = sql.join(
    terms.map(({ type }, index) => typedSql(type, place[index] ?? '')),
    sql`, `,
  )
  return sql`(${values}) ${BEYOND[first.direction]} (${bounds})`
}

/** Whatever the directions are and wherever there are nulls. */
function afterSql([term, ...rest]: OrderTerm[], [at, ...others]: Place): SQL {
  if (!term) return sql`false`
  // Null is the last value: only a later term can tell what comes after.
  if (at === null || at === undefined)
    return sql`(${term.value} is null and ${afterSql(rest, others)})`
  const bound = typedSql(term.type, at)
  const isPast = sql`${term.value} ${BEYOND[term.direction]} ${bound}`
  const isEmpty = term.nullable ? sql` or ${term.value} is null` : sql``
  return sql`(${isPast}${isEmpty} or (${term.value} = ${bound} and ${afterSql(rest, others)}))`
}

const BEYOND = { asc: sql.raw('>'), desc: sql.raw('<') }

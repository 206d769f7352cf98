import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type OrderPart, type OrderTerm, termsSql } from './order'
import { typedSql } from './sql-terms'

/** A position whose values may be placeholders of a compiled statement. */
export type BoundPosition = (string | SQLWrapper | null)[]

/**
 * What follows a position, in at most two parts: records with a value of the first term, found
 * from the position on where an index has this order, and after them those without one.
 */
export function partsAfter(terms: OrderTerm[], position: BoundPosition): OrderPart[] {
  const [first, ...rest] = terms
  const [at, ...others] = position
  if (!first || at === undefined) throw new Error('An order lacks its terms')
  const isEmpty = sql`${first.value} is null`
  if (at === null)
    return [{ where: sql`${isEmpty} and ${afterSql(rest, others)}`, order: termsSql(rest) }]
  const filled = [{ ...first, nullable: false }, ...rest]
  const parts = [{ where: filledAfter(filled, position), order: termsSql(filled) }]
  // If nothing follows the first term, it is the key, which is not null.
  return first.nullable ? [...parts, { where: isEmpty, order: termsSql(rest) }] : parts
}

/** One comparison of rows where possible, since an index on all terms supports only that. */
function filledAfter(terms: OrderTerm[], position: BoundPosition): SQL {
  const [first, ...rest] = terms
  const [at, ...others] = position
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
    terms.map(({ type }, index) => typedSql(type, position[index] ?? '')),
    sql`, `,
  )
  return sql`(${values}) ${BEYOND[first.direction]} (${bounds})`
}

/** For any directions and nulls. */
function afterSql([term, ...rest]: OrderTerm[], [at, ...others]: BoundPosition): SQL {
  if (!term) return sql`false`
  // Null is the last value: only a later term can decide what follows.
  if (at === null || at === undefined)
    return sql`(${term.value} is null and ${afterSql(rest, others)})`
  const bound = typedSql(term.type, at)
  const isPast = sql`${term.value} ${BEYOND[term.direction]} ${bound}`
  const isEmpty = term.nullable ? sql` or ${term.value} is null` : sql``
  return sql`(${isPast}${isEmpty} or (${term.value} = ${bound} and ${afterSql(rest, others)}))`
}

const BEYOND = { asc: sql.raw('>'), desc: sql.raw('<') }

import { arityOf, labelOf } from '@/components/data-table/filter/operators'
import type { AddedIndexView, Advice } from '@/lib/advice/contract'

type Search = Advice['search']
type Condition = Search['where'][number]

/** A shape of searches in words: `country is …, sorted by name (descending)`. */
export function shapeText({ where, sort, groupBy, deep }: Search): string {
  const order = sort.map(({ field, direction }) =>
    direction === 'desc' ? `${field} (descending)` : field,
  )
  return [
    where.length > 0 ? where.map(conditionText).join(' and ') : 'All records',
    ...(groupBy ? [`grouped by ${groupBy.join(', ') || 'nothing'}`] : []),
    ...(order.length > 0 ? [`sorted by ${order.join(', ')}`] : []),
    ...(deep ? ['a page far behind the first'] : []),
  ].join(', ')
}

function conditionText(condition: Condition): string {
  if ('field' in condition) {
    const { field, operator } = condition
    const hasValue = arityOf(operator) !== 'none'
    return `${field} ${labelOf(operator)}${hasValue ? ' …' : ''}`
  }
  const { operator, of } = condition
  const word = operator === 'or' ? ' or ' : ' and '
  const text = `(${of.map(conditionText).join(word)})`
  return operator === 'not' ? `not ${text}` : text
}

/** What an index is for: `country, then name in order`. */
export function indexText({ kind, fields }: Pick<AddedIndexView, 'kind' | 'fields'>): string {
  const names = fields.map(({ field, use, direction }) =>
    use === 'sort' ? `${field} in ${direction === 'desc' ? 'descending ' : ''}order` : field,
  )
  if (kind === 'trigram') return `parts of ${names.join(', ')}`
  if (kind === 'json') return `values inside ${names.join(', ')}`
  return names.join(', then ')
}

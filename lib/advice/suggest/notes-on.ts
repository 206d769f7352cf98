import type { SearchShape } from '@/lib/definitions/search-shape'
import type { Classified } from './classify-test'

/** What no index of the entity helps, and what else would. */
export function notesOn(
  { sort, deep }: SearchShape,
  tests: readonly Classified[],
  unserved: number,
): string[] {
  const of = (use: Classified['use']) =>
    tests.filter((test) => test.use === use).map(({ field, operator }) => `${field} ${operator}`)
  const none = of('none')
  const beyond = of('beyond')
  return [
    ...(none.length > 0 ? [`No index serves ${none.join(', ')}`] : []),
    ...(beyond.length > 0
      ? [`${beyond.join(', ')}: the field belongs to another entity, or is gone`]
      : []),
    ...(unserved > 0 ? ['No index serves "not", or an "or" with a side that has no index'] : []),
    ...(sort.some(({ direction }) => direction !== sort[0]?.direction)
      ? ['The sort has both directions, of which an index serves the first alone']
      : []),
    ...(deep ? ['A page far behind the first: continue with a cursor instead'] : []),
  ]
}

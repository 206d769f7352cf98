import type { Call, Case, Sides } from './cases'
import { PEOPLE } from './people'
import { zipf } from './random'
import { filters, MEMBER, momentOf, oneOf, pageOf } from './read-cases'
import { createMember, updateMember } from './write-cases'

/** How to read, the commonest first; `value` is one of many, the first ones asked for most. */
const SHAPES: ((value: number) => Sides<Call>)[] = [
  (value) => oneOf(1 + value, MEMBER),
  (value) => filters(value % 100, momentOf(Math.floor(value / 100)), MEMBER),
  (value) => pageOf(value % 1_999, 10, MEMBER),
  (value) => pageOf(value % 999, 20, MEMBER),
]

/** What clients do together: nine reads and a write, of one table. */
export const mixed: Case = {
  name: 'mixed',
  title: '90 % reads, forms and values by Zipf’s law, 10 % writes',
  call: (n) => {
    if (n % 10 === 9) return n % 20 === 9 ? updateMember(n) : createMember(n)
    const shape = SHAPES[zipf(n, SHAPES.length)] ?? SHAPES[0]
    return shape?.(zipf(n + 0.5, PEOPLE)) ?? updateMember(n)
  },
  writes: true,
  equal: 'page',
}

import { expect, test } from 'vitest'
import type { JsonObject } from '@/lib/values/json'
import { parseSchemaDefinition } from './parse-schema-definition'

const sources = [
  { name: 'n', type: 'integer' },
  { name: 'first', type: 'string' },
  { name: 'last', type: 'string' },
]
const total = (computed: string) => ({ name: 'total', type: 'decimal', computed })

test.each<[JsonObject, RegExp]>([
  [total('n *'), /Expects a field.*but it ends \(at character 4\)/],
  [total('n ; 1'), /";" is not understood \(at character 3\)/],
  [total('m * 2'), /There is no field "m"/],
  [total('total * 2'), /"total" is computed itself/],
  [total('first || last'), /Is a text, but the field is decimal/],
  [total('first * 2'), /\* needs numbers/],
  [total('pg_sleep(1)'), /There is no function pg_sleep; use lower, upper, concat, coalesce/],
  [{ ...total('n'), required: true }, /can't have the rule required/],
  [{ name: 'total', type: 'date', meta: { computed: 'n' } }, /is a number or a text, not date/],
])('a computed field that can not be computed is refused: %j', (property, message) => {
  const parsed = parseSchemaDefinition({ name: 'Thing', properties: [...sources, property] })
  expect(parsed).toMatchObject({
    faults: [
      { message: expect.stringMatching(message), pointer: expect.stringMatching(/computed$/) },
    ],
  })
})

test.each(['n * (n + 2.5) / -n', "concat(n, first, 'it''s') || upper(last)"])(
  'reads %s',
  (computed) => {
    const type = computed.startsWith('n') ? 'decimal' : 'string'
    const parsed = parseSchemaDefinition({
      name: 'Thing',
      properties: [...sources, { name: 'x', type, computed }],
    })
    expect(parsed).toMatchObject({
      definition: { properties: [{}, {}, {}, { rules: { computed } }] },
    })
  },
)

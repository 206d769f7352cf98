import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { typesByName } from '@/lib/definitions/resolve-type'
import { entityNamed, schemaNamed } from '@/lib/testing/random-definitions'
import type { Json } from '@/lib/values/json'
import { entityJson, schemaJson } from './definition-files'

const TYPES = typesByName([
  { name: 'Short', baseType: 'string', meta: { maxLength: 3, pattern: '^a', examples: ['a'] } },
])

test('an entity that is written and read again is the same', () => {
  fc.assert(
    fc.property(entityNamed('Alpha'), (input) => {
      const parsed = parseEntityDefinition(input as Json)
      if ('faults' in parsed) return
      expect(parseEntityDefinition(entityJson(parsed.definition))).toEqual(parsed)
    }),
  )
})

test('a schema that is written and read again is the same', () => {
  fc.assert(
    fc.property(schemaNamed('Alpha'), (input) => {
      const parsed = parseSchemaDefinition(input as Json, TYPES)
      if ('faults' in parsed) return
      const { definition } = parsed
      expect(parseSchemaDefinition(schemaJson(definition, TYPES), TYPES)).toEqual(parsed)
      // Without its type, a field has the same rules as its own.
      const properties = definition.properties.map(({ ofType: _, ...property }) => property)
      expect(parseSchemaDefinition(schemaJson(definition))).toEqual({
        definition: { ...definition, properties },
      })
    }),
  )
})

test.each([
  { properties: { a: { type: 'string', format: 'email', examples: ['a@example.com'] } } },
  { properties: [{ name: 'a', type: 'email', label: 'A', default: 'b@example.com', length: 80 }] },
  { properties: [{ name: 'a', type: 'Date', meta: { description: 'When', required: true } }] },
  {
    properties: [{ name: 'a', type: 'array', enum: [[1], [{ b: 2 }]] }],
    additionalProperties: false,
  },
  { label: 'Alpha', description: 'The first', properties: [] },
])('so is %j', (input) => {
  const parsed = parseSchemaDefinition({ name: 'Alpha', ...input } as unknown as Json)
  expect(parsed).toHaveProperty('definition')
  if ('definition' in parsed)
    expect(parseSchemaDefinition(schemaJson(parsed.definition))).toEqual(parsed)
})

import { expect, test } from 'vitest'
import { parseTypeDefinition } from './parse-type-definition'
import { resolveType, typesByName } from './resolve-type'

const define = (name: string, baseType: string) => {
  const parsed = parseTypeDefinition({ name, baseType })
  if ('faults' in parsed) throw new Error(parsed.faults[0]?.message)
  return typesByName([parsed.definition])
}

test('a type that was defined before it was built in goes on to apply', () => {
  expect(resolveType('duration', new Map())).toMatchObject({ kind: 'duration' })
  expect(resolveType('Duration', define('duration', 'string'))).toMatchObject({ kind: 'text' })
  expect(resolveType('duration', define('Duration', 'duration'))).toMatchObject({
    kind: 'duration',
  })
})

test('no other built-in type can be defined', () => {
  expect(() => define('date', 'string')).toThrow(/choose another name/)
})

import { describe, expect, test } from 'vitest'
import type { Json } from '@/lib/values/json'
import type { TypeDefinition } from './definition'
import { parseTypeDefinition } from './parse-type-definition'
import { typesByName } from './resolve-type'
import { typeFaults } from './type-faults'

const parse = (json: unknown) => parseTypeDefinition(json as Json)

describe('the definition of a type', () => {
  test('keeps its base and rules', () => {
    const json = { name: 'Iata', baseType: 'string', meta: { length: 3, pattern: null }, more: 1 }
    expect(parse(json)).toEqual({
      definition: { name: 'Iata', baseType: 'string', meta: { length: 3 } },
    })
  })

  test.each<[string, unknown, string]>([
    ['no name', { baseType: 'string' }, '/name'],
    ['no base', { name: 'A' }, '/baseType'],
    ['a name of ours', { name: 'STRING', baseType: 'text' }, '/name'],
    ['the name Date', { name: 'Date', baseType: 'text' }, '/name'],
    ['a name that is no identifier', { name: 'a-b', baseType: 'text' }, '/name'],
    ['rules that are a list', { name: 'A', baseType: 'text', meta: [] }, '/meta'],
    ['no object', 5, ''],
  ])('is refused for %s', (_, json, pointer) => {
    expect(parse(json)).toMatchObject({ faults: [{ pointer }] })
  })

  const type = (name: string, baseType: string, meta = {}): TypeDefinition => ({
    name,
    baseType,
    meta,
  })
  const others = typesByName([type('Code', 'string', { maxLength: 4 }), type('Hen', 'Egg')])

  test.each<[string, TypeDefinition, object[]]>([
    ['an existing base', type('Iata', 'CODE', { maxLength: 3 }), []],
    ['an unknown base', type('A', 'Cod'), [{ pointer: '/baseType' }]],
    ['itself as base', type('A', 'a'), [{ pointer: '/baseType' }]],
    ['a cycle', type('Egg', 'Hen'), [{ pointer: '/baseType' }]],
    ['a broken rule', type('A', 'string', { pattern: '(' }), [{ pointer: '/meta' }]],
    ['a rule that does not fit', type('A', 'number', { pattern: 'a' }), [{ pointer: '/meta' }]],
    ['rules that contradict', type('A', 'Code', { minLength: 9 }), [{ pointer: '/meta' }]],
  ])('with %s has the faults that it should', (_, definition, faults) => {
    expect(typeFaults(definition, others)).toMatchObject(faults)
  })
})

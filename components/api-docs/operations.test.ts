import { expect, test } from 'vitest'
import type { ApiDocument, OperationObject } from './document'
import { filterGroups, groupOperations, isOpen } from './operations'

const read: OperationObject = { operationId: 'readShop', summary: 'Read a shop', tags: ['Shops'] }
const document: ApiDocument = {
  info: { title: 'Engine', version: '1' },
  security: [{ key: [] }],
  tags: [{ name: 'Users' }, { name: 'Unused' }],
  paths: {
    '/api/shops/{id}': {
      parameters: [{ name: 'id', in: 'path', description: 'of the path' }],
      get: {
        ...read,
        parameters: [
          { name: 'id', in: 'path', description: 'own' },
          { $ref: '#/components/parameters/page', name: '', in: 'query' },
        ],
        responses: { 404: { $ref: '#/components/responses/Missing' } },
      },
      delete: { security: [] },
    },
    '/api/users': {
      get: { operationId: 'listUsers', tags: ['Users'], security: [{}, { key: [] }] },
    },
  },
  components: {
    parameters: { page: { description: 'shared' } },
    responses: { Missing: { description: 'There is no such thing' } },
  } as ApiDocument['components'],
}
const groups = groupOperations(document)
const all = groups.flatMap(({ operations }) => operations)

test('operations stand by tag: those of the list first, without empty ones', () => {
  expect(groups.map(({ tag }) => tag)).toEqual(['Users', 'Shops', 'Other'])
})

test('an operation without a name gets one from its method and path', () => {
  expect(all.map(({ id }) => id)).toEqual(['listUsers', 'readShop', 'delete-api-shops-id'])
})

test('its own parameters stand for those of the path, and references are followed', () => {
  const [id, page] = all[1]?.parameters ?? []
  expect(id?.description).toBe('own')
  expect(page?.description).toBe('shared')
  expect(all[1]?.responses[0]?.response.description).toBe('There is no such thing')
})

test('what the document says of credentials holds unless an operation says otherwise', () => {
  expect(all.map(isOpen)).toEqual([true, false, true])
})

test.each([
  ['', 3],
  ['get shop', 1],
  ['READSHOP', 1],
  ['users', 1],
  ['/api/shops', 2],
  ['shop users', 0],
])('a search for "%s" finds %i', (text, count) => {
  expect(filterGroups(groups, text).flatMap(({ operations }) => operations)).toHaveLength(count)
})

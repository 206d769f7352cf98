import type { Handler } from '@/lib/http/route'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../../routes'
import { type Document, deps } from './airports'

export const handlerOf = (path: string, method: string) => {
  const route = path
    .replace('/Airport', '/{entityName}')
    .replace('/Country', '/{entityName}')
    .replace('/Runway', '/{entityName}')
    .replaceAll('{', '[')
    .replaceAll('}', ']')
  return ROUTES[route]?.[method.toUpperCase()] as Handler
}

/** Calls an operation with its own examples. */
export async function perform(
  path: string,
  method: string,
  operation: Document,
  entityName: string,
) {
  const parameters: Document[] = operation.parameters ?? []
  const query = parameters.filter((part) => part.in === 'query' && part.example !== undefined)
  const search = new URLSearchParams(query.map(({ name, example }) => [name, example]))
  const id = parameters.find(({ name }) => name === 'id')?.example
  return call(deps, handlerOf(path, method), {
    method: method.toUpperCase(),
    path: `${path.replace('{id}', id)}?${search}`,
    as: 'ADMIN',
    params: id === undefined ? { entityName } : { entityName, id },
    body: operation.requestBody?.content['application/json']?.example,
  })
}

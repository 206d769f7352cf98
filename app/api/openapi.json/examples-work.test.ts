import { describe, expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { type Document, deps, pathsOf, read } from './testing/airports'
import { handlerOf, perform } from './testing/examples'

describe('examples', () => {
  test.each(['Airport', 'Country'])('of %s work', async (entityName) => {
    const document = await read('ADMIN')
    const operations = pathsOf(document, entityName).flatMap((path) =>
      Object.entries(document.paths[path]).map(([method, operation]) => ({
        path,
        method,
        operation: operation as Document,
      })),
    )
    const isLast = ({ operation }: { operation: Document }) =>
      Number(operation.operationId.startsWith('delete'))
    operations.sort((a, b) => isLast(a) - isLast(b))
    expect(operations).toHaveLength(25)
    await createExampleKey(document, entityName)
    const responses: Record<string, number> = {}
    for (const { path, method, operation } of operations) {
      if (operation.operationId.startsWith('create')) continue
      // A country has its key alone: there is nothing to set.
      if (operation.operationId === 'editCountryRecords') continue
      // There is no version of the record yet, and no comment on it.
      if (operation.operationId.startsWith('restore') || path.includes('{commentId}')) continue
      // A form with a file has no example.
      if (operation.requestBody?.content['multipart/form-data']) continue
      const { status } = await perform(path, method, operation, entityName)
      responses[operation.operationId] = status
    }
    expect(Object.entries(responses).filter(([, status]) => status !== 200)).toEqual([])
  })

  /** Also with the example of a new record, so that the examples of changes have something to change. */
  async function createExampleKey(document: Document, entityName: string) {
    const path = `/api/entities/${entityName}`
    const { post, put } = document.paths[path]
    const created = await perform(path, 'post', post, entityName)
    expect(created.status).toBe(201)
    const keyed = put.requestBody.content['application/json'].example
    if (entityName === 'Country') return
    const again = await call(deps, handlerOf(path, 'post'), {
      method: 'POST',
      path,
      as: 'ADMIN',
      params: { entityName },
      body: keyed,
    })
    expect(again.status).toBe(201)
  }
})
